/** `npm test` says what it leaves out and how to run it. */
process.stdout.write(
  [
    '',
    'Não executados aqui:',
    '  testes de navegador (precisam do Chromium):  npm run test:e2e',
    '  tudo, como na integração contínua:           npm run check',
    '  telefones e operadores contra o banco:       npm run sim -- --phones 40 --minutes 1 --rate 20 --kills 10',
    '',
  ].join('\n'),
)
