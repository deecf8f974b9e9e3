/**
 * Programs that take secrets in arguments with innocent names, one program a line, from the
 * manuals. No maintained list was found (secretlint, gitleaks and detect-secrets know the forms of
 * tokens, which token-forms.ts takes over, not program options). Telling option names
 * (`--password`, `--api-token`) are in secret-names.ts, for all programs.
 */
export interface SecretArguments {
  /** Base names, separated by blanks, anywhere in a command: after sudo, in docker exec. */
  readonly programs: string;
  /** Leading words, in order, possibly with a dotted suffix; words between are ignored. */
  readonly after?: string;
  /** Letters of options with the secret in the same word or in the next: `-pX`, `-p X`. */
  readonly short?: string;
  /** Letters of options without a value, which may stand in front of such a one: `-su me:X`. */
  readonly flags?: string;
  /** Prefixes of words whose rest is the secret: `/p:X`. Lower case; matched in any case. */
  readonly joined?: string;
  /** Words before a secret: `-pw X`, `--body X`; long ones also with `=`. */
  readonly next?: string;
  /** Options whose value is `user:secret`. */
  readonly pairs?: string;
  /** Separator of user and secret; `:` by default. */
  readonly separator?: string;
  /** Options whose value is `key=secret`. */
  readonly assigned?: string;
  /** Options whose value is neither an operand nor a secret. */
  readonly passed?: string;
  /** Operands `NAME=secret`. */
  readonly assignments?: true;
  /** This operand after `after`, and all later ones; the first is 0. Options don't count. */
  readonly operand?: number;
  /** Letters of options that make the last operand the secret. */
  readonly last?: string;
  /** The last operand after `after` is the secret. */
  readonly final?: true;
  /** Words that make standard input the secret; `*`: always. */
  readonly stdin?: string;
}

const curlFlags = String.raw`\d#aBfgGiIjJkl-qRsSvVLMNOZ`;

export const secretArguments: readonly SecretArguments[] = [
  // Databases.
  {
    programs:
      'mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlsh mysqlslap mysqlbinlog mariadb mariadb-dump mariadb-admin mariadb-check mariadb-import mycli',
    joined: '-p',
    next: 'password',
  },
  { programs: 'sqlcmd bcp osql go-sqlcmd tsql fisql p4 httping zipcloak funzip', short: 'P' },
  { programs: 'zip unzip', short: 'P', flags: String.raw`\dA-Da-cfgj-qruvyFJKLSTUVWX` },
  {
    programs:
      'mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles cqlsh cypher-shell beeline couchbase-cli cbq nodetool influx trino presto rabbitmqadmin fs_cli openttd exaplus hdbsql dsetool useradd usermod newusers chpass sshpass hydra medusa ncrack reaver elasticsearch-users smbmap crackmapexec netexec nxc evil-winrm rdesktop xtightvncviewer ncftp ncftpput ncftpget ncftpls airdecap-ng airtun-ng instaloader ffsend yadm yt-dlp youtube-dl gallery-dl twine aescrypt unar lsar olevba mupdf mutool stegsnow msoffcrypto-tool steghide outguess',
    short: 'p',
  },
  {
    programs: 'redis-cli valkey-cli keydb-cli redis-benchmark iredis',
    short: 'a',
    next: 'requirepass',
    stdin: '--askpass',
  },
  { programs: 'redis-cli valkey-cli keydb-cli', after: 'AUTH', final: true },
  { programs: 'redis-cli valkey-cli keydb-cli', after: 'auth', final: true },
  { programs: 'redis-cli valkey-cli keydb-cli', after: 'ACL SETUSER', joined: '> <' },
  { programs: 'redis-cli valkey-cli keydb-cli', after: 'acl setuser', joined: '> <' },
  { programs: 'influx vercel vc doctl codecov codecovcli', short: 't' },
  { programs: 'nodetool', next: '-pw' },
  { programs: 'db2', after: 'connect', next: 'using USING' },
  { programs: 'isql iusql', operand: 2 },
  { programs: 'sqlplus sqlldr expdp impdp rman', pairs: '*', separator: '/' },
  { programs: 'etcdctl', pairs: '--user' },
  { programs: 'etcdctl', after: 'user add', pairs: '*' },
  { programs: 'keyctl', after: 'add', operand: 2 },
  { programs: 'keyctl', after: 'padd', stdin: '*' },
  { programs: 'circleci', after: 'store-secret', stdin: '*' },
  { programs: 'eas', after: 'secret:create', next: '--value' },
  { programs: 'etcdctl', after: 'put', operand: 1 },
  { programs: 'rabbitmqctl', after: 'add_user', operand: 1 },
  { programs: 'rabbitmqctl', after: 'change_password', operand: 1 },
  { programs: 'rabbitmqctl', after: 'authenticate_user', operand: 1 },
  { programs: 'grafana-cli grafana', after: 'reset-admin-password', operand: 0 },
  { programs: 'neo4j-admin', after: 'set-initial-password', operand: 0 },
  { programs: 'mosquitto_pub mosquitto_sub mosquitto_rr', short: 'P', next: '--pw' },
  {
    programs:
      'vsql kadmin kadmin.local ktutil ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapmodrdn ldapcompare ldapexop dsconf dsidm irssi',
    short: 'w',
    flags: 'xLvnZcMW',
  },
  // Passwords of accounts.
  { programs: 'htpasswd htdbm htdigest mosquitto_passwd', last: 'b', stdin: '-i' },
  {
    programs: 'chpasswd argon2 steam-totp keepassxc-cli kpcli cadaver passwd smbpasswd kinit vncpasswd su',
    stdin: '*',
  },
  { programs: 'zfs', after: 'load-key', stdin: '*' },
  { programs: 'clevis', after: 'luks bind', stdin: '*' },
  { programs: 'systemd-creds', after: 'encrypt', stdin: '*' },
  { programs: 'oathtool', operand: 0 },
  { programs: 'pkcs11-tool pkcs15-tool pkcs15-init', short: 'p', next: '--pin --so-pin --new-pin' },
  { programs: 'yubico-piv-tool', short: 'P N k' },
  { programs: 'pk12util certutil', short: 'W K w' },
  { programs: 'manage-bde', next: '-rp -RecoveryPassword -pw -password' },
  { programs: 'adb', after: 'pair', operand: 1 },
  { programs: 'ipa-client-install ipa-server-install ipa-replica-install', short: 'w a' },
  { programs: 'xrdp-sesrun', final: true },
  { programs: 'dislocker dislocker-fuse', short: 'u p' },
  { programs: 'ykman', after: 'accounts add', operand: 1 },
  { programs: 'wpa_cli', next: 'psk password' },
  { programs: 'sudo doas', stdin: '-S' },
  { programs: 'ssh-keygen', short: 'N P' },
  { programs: 'plink pscp psftp putty kitty winscp winscp.com', next: '-pw -passphrase' },
  { programs: 'openssl', after: 'passwd', final: true, passed: '-salt' },
  { programs: 'mkpasswd', final: true, next: '--password', passed: '-m --method -S --salt -R --rounds' },
  { programs: 'caddy', next: '--plaintext' },
  { programs: 'samba-tool', after: 'user', operand: 2 },
  { programs: 'security', after: 'unlock-keychain', short: 'p' },
  { programs: 'security', after: 'create-keychain', short: 'p' },
  { programs: 'security', after: 'import', short: 'P' },
  { programs: 'security', after: 'set-key-partition-list', short: 'k' },
  { programs: 'security', after: 'add-generic-password', short: 'w' },
  { programs: 'security', after: 'add-internet-password', short: 'w' },
  { programs: 'secret-tool', after: 'store', stdin: '*' },
  { programs: 'pass gopass passage', after: 'insert', stdin: '*' },
  { programs: 'cryptsetup', stdin: '- luksOpen luksFormat luksAddKey open' },
  { programs: 'net', after: 'use', operand: 1 },
  { programs: 'net', after: 'user', operand: 1 },
  { programs: 'ConvertTo-SecureString', next: '-String', operand: 0 },
  { programs: 'cmdkey', joined: '/pass:' },
  { programs: 'schtasks psexec runas', next: '/rp /p -p /RP' },
  // Directories, files and desktops on other machines.
  { programs: 'ldappasswd', short: 's a' },
  { programs: 'slappasswd twurl dexter', short: 's' },
  {
    programs: 'smbclient rpcclient smbget smbmap smbcacls smbtree net smbcquotas nmblookup wmic winexe',
    pairs: '-U --user',
    separator: '%',
  },
  { programs: 'smbclient', passed: '-U --user -c -W -I -p -D -A -m -s -t -T -d -n -k -b -O', operand: 1 },
  {
    programs: 'xfreerdp xfreerdp3 freerdp-proxy wlfreerdp wlfreerdp3 sdl-freerdp sdl-freerdp3 wfreerdp mstsc',
    joined: '/p: /gp: /password: /pth: /pass-the-hash: -p: --p:',
    next: '-p',
  },
  { programs: 'x11vnc vncserver', next: '-passwd' },
  { programs: 'lftp', pairs: '-u --user', separator: ',' },
  { programs: 'ipmitool', short: 'P K' },
  { programs: 'snmpget snmpset snmpwalk snmpbulkwalk snmpgetnext snmptrap', short: 'A X c' },
  { programs: 'swaks', next: '-ap --auth-password' },
  { programs: 'sendemail sendEmail', next: '-xp' },
  { programs: 'wpa_passphrase', operand: 1 },
  { programs: 'nmcli', next: 'password wifi-sec.psk 802-11-wireless-security.psk' },
  { programs: 'iwconfig', next: 'key' },
  { programs: 'create_ap', operand: 3 },
  { programs: 'networksetup', after: '-setairportnetwork', operand: 2 },
  { programs: 'networksetup', after: '-addpreferredwirelessnetworkatindex', operand: 4 },
  { programs: 'uci', after: 'set', pairs: '*', separator: '.key=' },
  { programs: 'netsh', joined: 'key= keymaterial=' },
  { programs: 'ss-local ss-server ss-tunnel ss-redir sslocal ssserver cryptcat sic cloudsmith', short: 'k' },
  { programs: 'bore', next: '-s --secret' },
  { programs: 'zrok', after: 'enable', operand: 0 },
  { programs: 'driverquery eventcreate getmac setx systeminfo tasklist taskkill shutdown', next: '/p /P' },
  // The web.
  { programs: 'curl', pairs: '-u -U -E --user --proxy-user --cert --proxy-cert', flags: curlFlags },
  { programs: 'curl', assigned: '-b --cookie', flags: curlFlags },
  { programs: 'lwp-request GET POST miniserve', pairs: '-C -a' },
  { programs: 'transmission-daemon', short: 'v' },
  { programs: 'steamcmd', after: '+login', operand: 1 },
  { programs: 'steam', after: '-login', operand: 1 },
  { programs: 'croc', next: '-c --code --pass' },
  { programs: 'wget wget2 http https xh xhs httpie hey', pairs: '-a -u --auth --user' },
  { programs: 'ttyd gotty', pairs: '-c --credential' },
  { programs: 'ab', pairs: '-A -P' },
  { programs: 'poetry uv', after: 'publish', short: 'p t' },
  // Containers and clusters.
  {
    programs: 'docker podman buildah helm skopeo nerdctl oras crane regctl cosign az acr',
    after: 'login',
    short: 'p',
    stdin: '--password-stdin --password-stdin=true',
  },
  { programs: 'docker podman', after: 'secret create', stdin: '-' },
  { programs: 'kubectl oc k3s microk8s minikube kubeseal k', assigned: '--from-literal' },
  { programs: 'oc cf expo eas', after: 'login', short: 'p' },
  { programs: 'tailscale headscale netbird', next: '--authkey --auth-key --setup-key' },
  { programs: 'ngrok', next: 'authtoken add-authtoken' },
  { programs: 'cloudflared', after: 'service install', operand: 0 },
  // Services that keep secrets or variables.
  { programs: 'gh', after: 'secret set', short: 'b', next: '--body', stdin: '*' },
  { programs: 'gh', after: 'auth login', stdin: '--with-token' },
  { programs: 'glab', after: 'auth login', short: 't', stdin: '--stdin' },
  { programs: 'glab', after: 'variable set', short: 'v', next: '--value', operand: 1, stdin: '*' },
  { programs: 'fly flyctl supabase doppler infisical deployctl', after: 'secrets set', assignments: true },
  { programs: 'fly flyctl', after: 'secrets import', stdin: '*' },
  { programs: 'wrangler', next: '--value', assigned: '--var' },
  { programs: 'wrangler', after: 'secret', stdin: '*' },
  { programs: 'heroku dokku', after: 'config:set', assignments: true },
  { programs: 'heroku', after: 'config:add', assignments: true },
  { programs: 'vercel vc', after: 'env add', stdin: '*' },
  { programs: 'netlify ntl', after: 'env:set', operand: 1 },
  { programs: 'firebase', after: 'functions:config:set', assignments: true },
  { programs: 'doppler infisical', after: 'secrets set', operand: 1 },
  { programs: 'convex', after: 'env set', operand: 1 },
  { programs: 'railway', assigned: '--set' },
  { programs: 'eb', after: 'setenv', assignments: true },
  { programs: 'cf', after: 'set-env', operand: 2 },
  { programs: 'cf', after: 'auth', operand: 1 },
  { programs: 'vault bao', after: 'kv put', assignments: true, stdin: '-' },
  { programs: 'vault bao', after: 'kv patch', assignments: true },
  { programs: 'vault bao', after: 'write', assignments: true, stdin: '-' },
  { programs: 'vault bao', after: 'login', operand: 0, assignments: true, stdin: '-' },
  { programs: 'vault bao', after: 'unseal', operand: 0 },
  { programs: 'consul', after: 'kv put', operand: 1 },
  { programs: 'op', after: 'item create', assignments: true },
  { programs: 'op', after: 'item edit', assignments: true },
  { programs: 'npm yarn pnpm lpass bw rbw', after: 'login', stdin: '*' },
  { programs: 'bw twilio', after: 'login', operand: 1 },
  { programs: 'bw', after: 'unlock', operand: 0 },
  { programs: 'bw rbw', after: 'unlock', stdin: '*' },
  { programs: 'chamber', after: 'write', operand: 2 },
  { programs: 'aws', after: 'ssm put-parameter', next: '--value' },
  { programs: 'aws', after: 'secretsmanager', next: '--secret-string --secret-binary' },
  { programs: 'aws', after: 'lambda', next: '--environment' },
  { programs: 'az', after: 'keyvault', next: '--value' },
  { programs: 'az', after: 'sql', short: 'p' },
  { programs: 'az', after: 'mysql', short: 'p' },
  { programs: 'az', after: 'postgres', short: 'p' },
  { programs: 'rclone', after: 'obscure', operand: 0, stdin: '-' },
  { programs: 'az', after: 'appsettings set', assignments: true },
  { programs: 'gcloud', after: 'secrets', stdin: '--data-file=- -' },
  { programs: 'gcloud', after: 'sql connect', stdin: '*' },
  { programs: 'supabase', after: 'link', short: 'p' },
  { programs: 'supabase', after: 'db', short: 'p' },
  { programs: 'bundle', after: 'config', pairs: '*' },
  { programs: 'gotify komac', short: 't', next: '--token' },
  { programs: 'flask-unsign', short: 'S' },
  { programs: 'swift', short: 'K' },
  { programs: 'tgpt', next: '--key' },
  { programs: 'choco', after: 'apikey', short: 'k' },
  { programs: 'choco', after: 'push', short: 'k' },
  { programs: 'travis', after: 'encrypt', operand: 0 },
  { programs: 'expose', after: 'token', operand: 0 },
  { programs: 'safe vault snyk', after: 'auth', operand: 0 },
  { programs: 'doctl', after: 'auth init', short: 't' },
  { programs: 'pulumi', after: 'config set', operand: 1 },
  { programs: 'llm', after: 'keys set', next: '--value' },
  { programs: 'mc mcli', after: 'alias set', operand: 2 },
  { programs: 'mc mcli', after: 'config host add', operand: 2 },
  { programs: 'dotnet', after: 'user-secrets set', operand: 1 },
  { programs: 'dotnet nuget gem', after: 'push', short: 'k', next: '--key' },
  { programs: 'nuget dotnet', after: 'setapikey', operand: 0 },
  { programs: 'cargo', after: 'login', operand: 0, stdin: '*' },
  { programs: 'composer poetry', after: 'http-basic', operand: 1 },
  { programs: 'sonar-scanner mvn gradle', joined: '-Dsonar.login=' },
  // Archives, keys, documents.
  { programs: '7z 7za 7zr 7zz 7zzs rar unrar', joined: '-p -hp' },
  { programs: 'arj', joined: '-g' },
  { programs: 'zpaq', joined: '-k', next: '-key' },
  { programs: 'ccrypt ccencrypt ccdecrypt ccat mcrypt', short: 'K k', next: '--key' },
  { programs: 'idevicebackup2', after: 'encryption on', operand: 0 },
  { programs: 'idevicebackup2', after: 'changepw', operand: 0 },
  { programs: 'openssl', next: '-k -K -hmac', joined: 'pass: key: hexkey: hexpass:', stdin: 'stdin' },
  { programs: 'gpg gpg2', stdin: '--passphrase-fd' },
  {
    programs: 'keytool jarsigner',
    next: '-storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass -new -tsakeypass',
  },
  { programs: 'signtool', next: '/p /csp' },
  { programs: 'ansible-vault', after: 'encrypt_string', operand: 0, stdin: '*' },
  { programs: 'pdftk', next: 'user_pw owner_pw input_pw' },
  {
    programs: 'pdftotext pdftoppm pdfimages pdfinfo pdftocairo pdffonts pdfdetach pdftohtml pdfseparate pdfcpu',
    next: '-upw -opw',
  },
  { programs: 'qpdf', after: '--encrypt', operand: 0 },
  { programs: 'conan', after: 'user', short: 'p' },
  { programs: 'hdiutil', stdin: '-stdinpass' },
];
