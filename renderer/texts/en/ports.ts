export const ports = {
  title: 'Ports',
  loading: 'Looking…',
  emptyTitle: 'No process of yours listens on a port',
  emptyBody: 'Servers that agents or you start appear here: whose they are, and how to start them again.',
  jobsTitle: 'Of agents',
  othersTitle: 'Your own programs',
  again: 'Copy command to start it again',
  endName: (port: number, name: string) => `End what listens on port ${port}, ${name}`,
  askTitle: (port: number) => `End what listens on port ${port}?`,
  askBody: 'All of its job ends, by the rules that hold for every ending:',
};
