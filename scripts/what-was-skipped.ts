// Printed after `npm test`: what it leaves out and how to run it.
process.stdout.write(
  [
    '',
    'Não executados aqui:',
    '  testes de navegador (precisam do Chromium):  npm run test:e2e',
    '  os outros testes do servidor, e todos inteiros: npm run test:whole',
    '  tudo o que a mudança toca, como na integração contínua: npm run check',
    '  os testes do servidor no PostgreSQL daqui:   npm run test:postgres',
    '  tudo o que a integração contínua não roda:   npm run nightly',
    '  as provas longas (kill -9, disputas, panes, fuzzing, segredos), e o que cada uma mostra: ' +
      'npm run proof',
    '  velocidades, em razões:                      ' +
      'npm run bench -- messages ingest fanout reply shift start',
    '',
  ].join('\n'),
)
