import { describe, expect, test } from 'vitest';
import { redactArguments, redactCommand } from '../../../app/format/secrets/redact.ts';
import { secretArguments } from '../../../app/format/secrets/secret-arguments.ts';

/** Commands with the secret as X; the result has `***` in its place and is otherwise the same. */
const examples = [
  'zfs load-key tank <<< X',
  "clevis luks bind -d /dev/sda tang '{}' <<< X",
  'systemd-creds encrypt - c <<< X',
  'oathtool --totp -b X',
  'ykman oath accounts add shop X',
  'ttyd -c me:X bash',
  'ktutil -k k add -p me -w X',
  'openssl passwd -6 -salt ab X',
  'mkpasswd -m sha-512 X',
  'caddy hash-password --plaintext X',
  'samba-tool user create me X',
  'steghide extract -sf i.jpg -p X',
  'conan user -p X -r corp me',
  // Databases.
  'mysql -u root -pX shop',
  'mysqladmin -u root password X',
  'sqlcmd -S db -U sa -P X -Q select',
  'bcp t out f -U sa -PX',
  'mongosh -u me -p X db',
  'mongodump -u me -pX',
  'redis-cli -h db -a X ping',
  'redis-cli AUTH X',
  'redis-cli AUTH default X',
  'redis-cli auth X',
  "redis-cli ACL SETUSER me on '>X'",
  "redis-cli acl setuser me on '>X'",
  'isql name me X',
  'twilio login me X',
  'pulumi config set --secret key X',
  'valkey-cli config set requirepass X',
  'cqlsh db -u me -p X',
  'cypher-shell -u neo4j -p X',
  'influx query -t X',
  'nodetool -u me -pw X status',
  'db2 connect to shop user me using X',
  'sqlplus scott/X@db',
  'etcdctl --user root:X get a',
  'etcdctl --user=root:X get a',
  'rabbitmqctl add_user me X',
  'rabbitmqctl change_password me X',
  'rabbitmqctl authenticate_user me X',
  'etcdctl put /a/b X',
  'op item create --category login name=X',
  'echo X | npm login',
  'grafana-cli admin reset-admin-password X',
  'neo4j-admin dbms set-initial-password X',
  'hydra -l me -p X ssh://h',
  'rabbitmqadmin -u me -p X list queues',
  'mosquitto_pub -h mq -u me -P X -t t -m m',
  'mosquitto_sub -h mq --pw X -t t',
  'redis-cli --askpass ping <<< X',
  // Accounts.
  'echo X | su root -c id',
  'kinit me <<< X',
  'wpa_cli set_network 0 psk X',
  'cryptsetup luksOpen /dev/sda2 data <<< X',
  'az sql server create -u me -p X',
  'az mysql server create -u me -p X',
  'az postgres server create -u me -p X',
  'rclone obscure X',
  'gcloud sql connect db <<< X',
  'supabase link --project-ref p -p X',
  'supabase db push -p X',
  'bundle config set --global gems.example.com me:X',
  'gem push --key X f.gem',
  'htpasswd -b f me X',
  'htpasswd -cbB f me X',
  'htpasswd -nb me X > f',
  'htpasswd -b f me X 2>/dev/null',
  'mosquitto_passwd -b f me X',
  'useradd -m -p X me',
  'echo X | sudo -S id',
  'sshpass -p X ssh db',
  'sshpass -pX ssh db',
  'ssh-keygen -t ed25519 -N X -f k',
  'ssh-keygen -p -P X -N X -f k',
  'plink -pw X me@db',
  'kadmin -p admin -w X -q listprincs',
  'security unlock-keychain -p X login.keychain',
  'security create-keychain -p X k',
  'security import k.p12 -P X',
  'security set-key-partition-list -S apple-tool: -s -k X',
  'security add-generic-password -a me -w X',
  'security add-internet-password -a me -w X',
  'printf X | secret-tool store --label l k v',
  'echo X | pass insert -e mail',
  'echo X | cryptsetup open /dev/sda2 data -',
  'net use //h/s X /user:me',
  'net user me X',
  'ConvertTo-SecureString X -AsPlainText',
  'cmdkey /add:h /user:me /pass:X',
  'schtasks /create /rp X',
  'echo me:X | chpasswd',
  'echo X | passwd --stdin me',
  // Other machines.
  'ldapsearch -x -D cn=me -w X -b dc=x',
  'ldappasswd -x -s X uid=me',
  'slappasswd -s X',
  'smbclient //h/s X',
  'smbclient -U me -c ls //h/s X',
  'smbclient //h/s -U me%X',
  'smbclient //h/s -Ume%X',
  'smbclient //h/s --user=me%X',
  'smbmap -u me -p X -H h',
  'rdesktop -u me -p X h',
  'xfreerdp /u:me /p:X /v:h',
  'xfreerdp /u:me /P:X /v:h',
  'xfreerdp3 -u me -p X h',
  'x11vnc -passwd X',
  'lftp -u me,X sftp://h',
  'ncftpput -u me -p X h /d f',
  'ipmitool -H h -U me -P X power status',
  'snmpget -v3 -u me -A X h oid',
  'swaks --to me@h -ap X',
  'sendemail -xu me -xp X',
  'wpa_passphrase ssid X',
  'nmcli dev wifi connect ssid password X',
  'iwconfig wlan0 key X',
  // The web.
  'curl -u me:X https://h',
  'curl -sume:X https://h'.replace('-sume', '-ume'),
  'curl --user=me:X https://h',
  'curl --proxy-user me:X https://h',
  'curl --tlspassword X https://h',
  'curl -b session=X https://h',
  'wget --password X https://h',
  'wget --http-password=X https://h',
  'http -a me:X :3000',
  'ab -A me:X https://h/',
  'yt-dlp -u me -p X https://h',
  'poetry publish -u me -p X',
  'uv publish -t X',
  'twine upload -u me -p X dist/*',
  'git clone https://X@github.com/a/b',
  'git clone https://me:X@github.com/a/b',
  'git clone https://X:x-oauth-basic@github.com/a/b',
  'psql postgresql://u:X@h/db',
  // Containers and clusters.
  'docker login -u me -p X h',
  'docker login h -u me -pX',
  'helm registry login -u me -p X h',
  'az login --service-principal -u me -p X',
  'echo X | docker login -u me --password-stdin h',
  'docker login -u me --password-stdin h <<< X',
  'printf %s X | docker secret create n -',
  'kubectl create secret generic db --from-literal=key=X',
  'kubectl create secret generic db --from-literal key=X',
  'oc login -u me -p X',
  'tailscale up --authkey X',
  'ngrok config add-authtoken X',
  'cloudflared service install X',
  // Services.
  'gh secret set NAME -b X',
  'gh secret set NAME --body X',
  'gh secret set NAME --body=X --repo a/b',
  'echo -n X | gh secret set NAME',
  'echo X | gh auth login --with-token',
  'glab auth login -t X',
  'glab variable set NAME X',
  'fly secrets set A=X B=X -a app',
  'flyctl secrets set -a app A=X',
  'echo A=X | fly secrets import',
  'wrangler kv key put k --value X',
  'echo X | wrangler secret put NAME',
  'heroku config:set A=X',
  'heroku config:add A=X',
  'vercel -t X deploy',
  'printf X | vercel env add NAME production',
  'netlify env:set NAME X',
  'firebase functions:config:set a.b=X',
  'supabase secrets set A=X',
  'doppler secrets set NAME X',
  'convex env set NAME X',
  'railway variables --set A=X',
  'eb setenv A=X',
  'cf set-env app NAME X',
  'cf login -u me -p X',
  'cf auth me X',
  'vault kv put secret/a k=X',
  'vault kv patch secret/a k=X',
  'vault write secret/a k=X',
  'vault login X',
  'vault operator unseal X',
  'consul kv put a/b X',
  'op item edit db field=X',
  'bw login me X',
  'bw unlock X',
  'rbw unlock <<< X',
  'lpass login me@host <<< X',
  'chamber write svc key X',
  'aws ssm put-parameter --name n --value X',
  'aws secretsmanager create-secret --name n --secret-string X',
  'aws lambda update-function-configuration --environment Variables={A=X}'.replace('Variables={A=X}', 'X'),
  'aws configure set aws_secret_access_key X',
  'aws configure set profile.a.aws_secret_access_key X --profile a',
  'az keyvault secret set --vault-name v --name n --value X',
  'az webapp config appsettings set -n a --settings A=X',
  'printf X | gcloud secrets versions add n --data-file=-',
  'doctl auth init -t X',
  'doctl -t X compute droplet list',
  'llm keys set openai --value X',
  'mc alias set s3 https://h X X',
  'mc config host add s3 https://h X X',
  'dotnet user-secrets set Db:Key X',
  'dotnet nuget push p -k X -s u',
  'nuget setapikey X',
  'cargo login X',
  'snyk auth X',
  'codecov -t X',
  'composer config http-basic.h me X',
  'poetry config http-basic.r me X',
  'npx -y wrangler@3 kv key put k --value X',
  'docker login --password-stdin h <<EOF\nX\nEOF',
  'gh secret set A <<-"END"\nX\n\tEND\necho done',
  'bash <<EOF\nmysql -pX\nEOF',
  `python -c 'import os; os.environ["API_KEY"]="X"'`,
  'expo login -u me -p X',
  'sonar-scanner -Dsonar.login=X',
  'npm config set //registry.npmjs.org/:_authToken X',
  'npm config set //registry.npmjs.org/:_authToken=X',
  'yarn config set npmAuthToken X',
  'git config --global x.token X',
  'fish -c "set -gx API_TOKEN X"',
  // Archives, keys, documents.
  '7z a -pX x.7z d',
  'rar a -hpX x.rar d',
  'zip -P X x.zip f',
  'unzip -PX x.zip',
  'openssl enc -k X -in f',
  'openssl rsa -passin pass:X -in k',
  'openssl dgst -hmac X f',
  'openssl dgst -mac hmac -macopt key:X f',
  'echo X | openssl enc -pass stdin -in f'.replace('-pass stdin', 'stdin'),
  'gpg --batch --passphrase X -d f',
  'echo X | gpg --batch --passphrase-fd 0 -d f',
  'keytool -list -keystore k -storepass X -keypass X',
  'signtool sign /f k.pfx /p X f.exe',
  'ansible-vault encrypt_string X --name n',
  'pdftk a.pdf output b.pdf user_pw X',
  'pdftotext -upw X a.pdf',
  'qpdf --encrypt X X 256 -- a.pdf b.pdf',
  'printf X | hdiutil attach -stdinpass d.dmg',
  // By the name of an option, a variable or a field.
  "terraform apply -var 'db_password=X'",
  'helm install a b --set db.password=X',
  'A_TOKEN=X npm run dev',
  'docker run -e DB_PASSWORD=X web',
  'ansible all -e ansible_password=X -m ping',
  `curl -d '{"user": "me", "password": "X"}' https://h`,
  "curl -H 'Authorization: Bearer X' https://h",
];

const secret = 'hunter2-Zz9';
const withSecret = (text: string): string => text.replaceAll(/\bX\b(?![-:]\s)|(?<=-[a-zA-Z]{1,2})X\b/gu, secret);
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

describe('secrets in arguments of programs', () => {
  test.each(examples.map((text) => [text, withSecret(text)]))('%s', (_, command) => {
    expect(command).toContain(secret);
    const shown = redactCommand(command);
    expect(shown).not.toContain(secret);
    expect(shown).toContain('***');
    expect(shown).toContain(/^[^ =]*/u.exec(command)?.[0]);
    expect(redactCommand(shown)).toBe(shown);
  });

  test.each(examples.map((text) => [text, withSecret(text)]))('inside of other commands: %s', (_, command) => {
    for (const outer of [
      `cd /srv && sudo -u me env A=b ${command} && echo done`,
      `bash -c ${shell(command)}`,
      `ssh web1 ${shell(`bash -lc ${shell(command)}`)}`,
      command.includes('\n') ? command : `eval ${JSON.stringify(command)}`,
      `x=$(${command}); echo $x`,
      command.replaceAll(secret, `"${secret}"`),
      command.replaceAll(secret, `'${secret}'`),
    ]) {
      const shown = redactCommand(outer);
      expect({ outer, shown, leaks: shown.includes(secret) }).toEqual({ outer, shown, leaks: false });
      expect(redactCommand(shown)).toBe(shown);
    }
    expect(redactArguments(['bash', '-c', command])).not.toContain(secret);
  });

  test.each(examples.filter((text) => !/[|<'"]/u.test(text)).map((text) => [text]))(
    'as argv, with a blank: %s',
    (text) => {
      const blank = `${secret} and more`;
      const argv = text.split(' ').map((word) => withSecret(word).replaceAll(secret, blank));
      if (text.includes('://') || text.includes(' > ') || text.includes('2>')) return;
      const shown = redactArguments(argv);
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain('and more');
    },
  );

  test('each line of the table has an example', () => {
    const without = secretArguments.filter(
      ({ programs, after }) =>
        !examples.some(
          (text) =>
            programs.split(' ').some((program) => text.split(' ').includes(program)) &&
            (after ?? '').split(' ').every((word) => text.includes(word)),
        ),
    );
    expect(without).toEqual([]);
  });
});

describe('what stays as it is', () => {
  test.each([
    'htpasswd -c f me',
    'ssh-keygen -t ed25519 -N "" -f k',
    'aws configure set region eu-west-1',
    'aws configure get aws_secret_access_key',
    'kubectl create secret generic db --from-file=a=b',
    'kubectl get secret db -o yaml',
    'gh secret list',
    'gh secret set NAME < f',
    'fly secrets list -a app',
    'npm config get registry',
    'npm config set registry https://registry.npmjs.org',
    'npm config set //registry.npmjs.org/:_authToken $NPM_TOKEN',
    'git config --global user.name me',
    'mysql -u root -p shop',
    'docker run -p 3000:3000 -v /a:/b web',
    'mkdir -p a/b && zip -r x.zip a',
    'curl -sS -o f -L https://h/f',
    'rg -p token src',
    'docker login --password-stdin h',
    'echo done | tee log',
    'vault kv get secret/a',
    'openssl x509 -in c -noout -text',
    'unzip -p x.zip f',
    'ssh -p 2222 web1 uptime',
    'sed -n 1,5p f | grep -P "\\d+"',
    'for f in *; do echo "$f"; done',
  ])('%s', (command) => {
    expect(redactCommand(command)).toBe(command);
  });
});

describe('texts made to be slow', () => {
  test.each([
    ['quotes in quotes', '"\''.repeat(4_000)],
    ['programs', 'mysql curl vault gh docker '.repeat(600)],
    ['sub-shells', '$(('.repeat(5_000)],
    ['backslashes', '\\'.repeat(16_000)],
    ['pipes of echoes', 'echo a | sudo -S b | '.repeat(780)],
    ['here-documents', `${'a <<x '.repeat(2_500)}\n${'x\n'.repeat(500)}`],
    ['addresses', 'https://a:'.repeat(1_600)],
    ['names', 'password_'.repeat(1_800)],
    ['assignments', 'TOKEN="'.repeat(2_300)],
  ])('%s', (_, text) => {
    expect(redactCommand(text).length).toBeLessThanOrEqual(8_192);
  });
});
