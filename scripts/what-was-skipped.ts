/** `npm test` says what it leaves out and how to run it. */
process.stdout.write(
  [
    '',
    'Não executados aqui:',
    '  testes de navegador (precisam do Chromium):  npm run test:e2e',
    '  tudo, como na integração contínua:           npm run check',
    '  os testes do servidor no PostgreSQL daqui:   npm run test:postgres',
    '  a vida do banco embutido, caso a caso:       npm run embedded-life',
    '  200 mil corpos quaisquer pelo webhook:       npm run fuzz -- --bodies 200000',
    '  telefones e operadores contra o banco:       npm run sim -- --phones 40 --minutes 1 --rate 20 --kills 10',
    '',
  ].join('\n'),
)
