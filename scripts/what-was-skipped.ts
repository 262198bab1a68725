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
    '  200 mil chamadas e quadros quaisquer:        npm run fuzz:calls -- --calls 200000',
    '  telefones e operadores contra o banco:       npm run sim -- --phones 40 --minutes 1 --rate 20 --kills 10',
    '  kill -9 em cada ponto do caminho:            npm run chaos -- --engine embedded --cycles 60',
    '  10 mil envios de resposta duvidosa:          npm run sends -- --sends 10000',
    '  10 mil disputas entre duas instâncias:       npm run races -- --rounds 10000',
    '  100 mil eventos, cada um até 20 vezes:       npm run storms -- --events 100000',
    '  o navegador contra o servidor, passo a passo: npm run walk -- --walks 2000',
    '  mil telas abertas, com reinícios:            npm run sockets -- --sockets 1000 --minutes 10',
    '  segredos procurados em toda parte:           npm run canary',
    '  velocidades, em razões:                      npm run bench -- ingest fanout reply shift start',
    '',
  ].join('\n'),
)
