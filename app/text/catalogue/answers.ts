/** Why a question could not be answered, or what came of it. */
export const answers = {
  'There is no such question.': 'Diese Frage gibt es nicht.',
  'What was asked for makes no sense.': 'Diese Anfrage ergibt keinen Sinn.',
  'Curfew could not do this.': 'Curfew konnte das nicht tun.',
  'The log says why; “About and diagnostics” shows where it is.':
    'Das Protokoll sagt, warum; „Info und Diagnose“ zeigt, wo es liegt.',
  'This job has ended.': 'Dieser Job ist beendet.',
  'This can only be said on the machine where the job runs.':
    'Das lässt sich nur auf dem Rechner sagen, auf dem der Job läuft.',
  'Call `curfew keep JOB --mine` there.': 'Dort „curfew keep JOB --mine“ aufrufen.',
  'The history tells what Curfew ended, and how.': 'Der Verlauf zeigt, was Curfew beendet hat und wie.',
  'On this system Curfew can only report: through {source} it can’t identify processes safely enough to end them.':
    'Auf diesem System kann Curfew nur berichten: über {source} lassen sich Prozesse nicht sicher genug erkennen, um sie zu beenden.',
  'It is past its hard cap of {cap}, which can’t be extended.':
    'Der Job ist über seiner Höchstdauer von {cap}, die sich nicht verlängern lässt.',
  'It is not known to which project this job belongs.': 'Zu welchem Projekt dieser Job gehört, ist nicht bekannt.',
  'Exempt its command instead.': 'Stattdessen lässt sich der Befehl ausnehmen.',
  'This job has no output file that could be read.': 'Dieser Job hat keine lesbare Ausgabedatei.',
  'This reaping is over.': 'Dieses Beenden ist schon vorbei.',
  'It is being ended already.': 'Das wird schon beendet.',
  'The record can’t be written, so nothing is done.': 'Der Verlauf lässt sich nicht schreiben, daher geschieht nichts.',
  'Nothing was signalled: {why}.': 'Nichts wurde signalisiert: {why}.',
  'The history keeps that you asked for it.': 'Der Verlauf hält fest, dass es gewünscht war.',
  'It had already ended on its own.': 'War schon von selbst beendet.',
  'Look at it again; if it still is to be ended, press End once more.':
    'Noch einmal prüfen; soll der Job weiterhin enden, noch einmal auf „Beenden“ drücken.',
  'Curfew is ending and takes nothing new up.': 'Curfew wird gerade beendet und nimmt nichts Neues an.',
  '{host} is not watched (any more), or there is no such job.':
    '{host} wird nicht (mehr) überwacht, oder es gibt keinen solchen Job.',
  '{failure}.': '{failure}.',
  'It has ended.': 'Ist beendet.',
  'It was not ended.': 'Wurde nicht beendet.',
  'Curfew does not end it.': 'Curfew beendet das nicht.',
  'It is not what it was a moment ago, so nothing was done.':
    'Es ist nicht mehr, was es eben war, daher geschah nichts.',
  'This incident is not in the history any more.': 'Dieser Vorfall ist nicht mehr im Verlauf.',
  'The project of this incident is not known.': 'Das Projekt dieses Vorfalls ist nicht bekannt.',
  'There is no such exemption any more.': 'Diese Ausnahme gibt es nicht mehr.',
  'This agent has no hooks that Curfew could use.': 'Dieser Agent hat keine Hooks, die Curfew nutzen könnte.',
  'curfew hooks install {agent}': 'curfew hooks install {agent}',
  '{host} answers: {processes}, {jobs} of agents.': '{host} antwortet: {processes}, {jobs} von Agenten.',
  'Curfew did not answer.': 'Curfew hat nicht geantwortet.',
  'It may be quitting. Start it again, then open this window from the tray.':
    'Vielleicht wird es gerade beendet. Neu starten und dieses Fenster aus der Menüleiste öffnen.',
  // What the desktop or the page could not do.
  'Curfew is not watching now.': 'Curfew überwacht gerade nicht.',
  'Choose “Try again” in its message, or start it anew.':
    'In der Meldung „Erneut versuchen“ wählen oder Curfew neu starten.',
  'This page may not ask.': 'Diese Seite darf nicht fragen.',
  'The page does this on its own.': 'Das macht die Seite selbst.',
  'A page can’t open folders.': 'Eine Seite kann keine Ordner öffnen.',
  'Nothing was exported.': 'Nichts wurde exportiert.',
  '{path} could not be written: {why}.': '{path} ließ sich nicht schreiben: {why}.',
  'Choose another folder, or make room.': 'Einen anderen Ordner wählen oder Platz schaffen.',
  'That could not be found out: {why}.': 'Das ließ sich nicht feststellen: {why}.',
  'The clipboard did not take it: {why}.': 'Die Zwischenablage nahm es nicht an: {why}.',
  'The browser was not opened: {why}.': 'Der Browser ging nicht auf: {why}.',
  'This file or folder does not exist any more.': 'Diese Datei oder diesen Ordner gibt es nicht mehr.',
  '{path} could not be changed: {why}.': '{path} ließ sich nicht ändern: {why}.',
  'This page is not connected to Curfew.': 'Diese Seite ist nicht mit Curfew verbunden.',
  'Open it from the tray, or run “curfew web” and open the link it prints.':
    'Aus der Menüleiste öffnen, oder „curfew web“ ausführen und dem Link folgen.',
  'This browser isn’t signed in.': 'Dieser Browser ist nicht angemeldet.',
  'Run “curfew web” and open the link it prints. Each link signs in one browser once.':
    '„curfew web“ ausführen und dem Link folgen. Jeder Link meldet einen Browser einmal an.',
  'Curfew can’t be reached.': 'Curfew ist nicht erreichbar.',
  'This page keeps trying. If it doesn’t come back, run “curfew web”.':
    'Diese Seite versucht es weiter. Meldet sich Curfew nicht zurück, „curfew web“ ausführen.',
  'Too many requests at once. Try again in a moment.': 'Zu viele Anfragen auf einmal. Gleich noch einmal versuchen.',
  'Curfew refused this. Reload the page: it may be older than the running Curfew.':
    'Curfew hat das abgelehnt. Seite neu laden: Sie ist vielleicht älter als das laufende Curfew.',
  'Curfew took too long to answer.': 'Curfew hat zu lange nicht geantwortet.',
  'The browser doesn’t let this page use the clipboard. Select the text and copy it instead.':
    'Der Browser lässt diese Seite nicht an die Zwischenablage. Text markieren und selbst kopieren.',
} as const;
