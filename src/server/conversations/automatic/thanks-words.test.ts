import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ratingOf } from './ratings.ts'
import { mayBePolite, politeOf } from './thanks-words.ts'

// What clients write after the end, and whether a careful person would leave the conversation closed.
// Whatever may be a request is never swallowed.

const operators = ['Ana Clara']

const textsIn = (lines: string) => lines.trim().split(/\s*[|\n]\s*/)

const thanks = textsIn(`
  obrigado | Obrigado! 🙏 | valeu, até amanhã | tchau | até mais | até | boa noite | amém | muito obrigado
  obrigado pela ajuda ana | obrigado, Ana Clara! | Obrigada à Ana Clara | gratidão | parabéns pelo atendimento
  ótimo atendimento | O atendimento da Ana foi excelente! | adorei o atendimento | quero agradecer
  queria agradecer a toda a equipe | feliz natal | abraços | obrigado por tudo | muito obrigada viu
  bom fim de semana | tenha uma ótima tarde | bom trabalho | boa tarde, obrigado | obrigado a todos | kkkk
  pra você também | igualmente | Deus abençoe vocês | fiquem com Deus | obrigada minha querida
  agradeço a atenção | obrigado mais uma vez | nota 10 | grato pela atenção e pelo carinho | um grande abraço
  eu que agradeço | obg amor | 🙏 | ❤️ | 😊😊 | 🎉 | ⭐⭐ | obrigado a vocês, tenham uma boa semana`)
const acknowledgements = textsIn(`
  ok | ok obrigado | Ok! | certo | tá bom | ta | beleza | blz | perfeito | show | top demais | tudo certo
  certinho | combinado | entendi | resolvido | resolveu, obrigado | certo, obrigada | boa! | 👍 | que ótimo
  tá bom então, obrigado | vocês são maravilhosos | a Ana foi muito atenciosa | amei | muito bom | ✅
  deu certo, obrigado | ok boa noite | ok, até amanhã | ah ok | ajudou muito | joia`)
const requests = textsIn(`
  me ajuda | ajuda | ajuda por favor | ajuda, obrigado | queria um atendimento, obrigado
  queria para amanhã, obrigado | ok pra amanhã | estou na loja ok | minha nota | ok com nota | nota
  beleza, e o meu | 10 | 100 | mil | ok 10 | 1000 | 10 estrelas | ok mil | dou 10 | dez | 5 | nota 1
  nota fiscal | nota 100 | obrigado, 10 | 10/10 | 1️⃣ | amanhã ok | ok, sexta | ok que dia | sim | não | isso
  com a ana obrigado | com a ana por favor ok | pra Ana, obrigado | ana | Ana por favor | sim obrigado
  não obrigado | obrigado, mas | pode ser | leite, obrigado | massa, obrigado | atendimento | atendente
  atendimento, obrigado | um atendimento bom | queria o melhor | empresa ok | agilidade por favor | rápido
  ok, rápido | atenção | atenção, obrigado | cuidado | um profissional | bom dia | boa tarde | bom dia Ana
  boa noite, tudo bem | bom dia, tudo bem | oi obrigado | uma noite | até que horas | até quando
  até amanhã cedo entrega | volto amanhã ok | mais tarde ok | mais uma | obrigado e quando | obrigado? | ok?
  obrigado, estou na loja | ok aguardando | obrigado, aguardo | obrigado 😡 | 😡 | 😢 | 👎 | 👉 | 🙋‍♀️ | 📦
  🍕 | ❓ | 🆘 | ❌ | ok 🍕 | ... | ninguém atendeu | não resolveu | show, pode mandar | ótimo, quero 2
  perfeito, fecha o pedido | desde já agradeço | obrigado pela compra do carro`).concat(['', ' ', '\n'])

test.each(thanks)('%j only thanks or takes leave', (text) => {
  expect([politeOf(text, operators), mayBePolite(text)]).toEqual(['thanks', true])
})
test.each(acknowledgements)('%j acknowledges, or answers a question', (text) => {
  expect([politeOf(text, operators), mayBePolite(text)]).toEqual(['acknowledgement', true])
})
test.each(requests)('%j needs an answer, for all that can be known', (text) => {
  expect(politeOf(text, operators)).toBeUndefined()
})

const groups = readFileSync(join(import.meta.dirname, 'real-answers.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { is: string; texts: string[] })
const textsOf = (what: string) => groups.find(({ is }) => is === what)?.texts ?? []

test.each(textsOf('thanks alone').filter((text) => text !== '10/10 obrigado'))(
  'the real thanks %j need no answer',
  (text) => expect(politeOf(text)).toBeDefined(),
)
test.each(
  groups
    .filter(({ is }) => !/thanks|praise/.test(is) || is === 'a request with thanks in it')
    .flatMap(({ texts }) => texts)
    // A farewell at the end of the day, thanks with a greeting, and what is emoji alone.
    .filter((text) => !/^(?:boa noite|bom dia, obrigado|nota 10|já resolvi|[⭐🌟 ]+)$/u.test(text)),
)('the real answer %j is no thanks', (text) => expect(politeOf(text, ['Ana'])).toBeUndefined())

test('a message that is longer than thanks are is read by somebody', () => {
  expect(politeOf('obrigado '.repeat(40))).toBeUndefined()
})

test('of the name of an operator only the first counts, and the whole name', () => {
  expect(politeOf('obrigado Carla', ['Carla Dias'])).toBe('thanks')
  expect(politeOf('obrigado Carla Dias', ['Carla Dias'])).toBe('thanks')
  expect(politeOf('dias, obrigado', ['Carla Dias'])).toBeUndefined()
  expect(politeOf('leite, obrigado', ['Ana Leite'])).toBeUndefined()
  expect(ratingOf('2 leite', ['Ana Leite'])).toBeUndefined()
  expect(ratingOf('2 dias', ['Carla Dias'])).toBeUndefined()
  expect(ratingOf('5 Ana Leite', ['Ana Leite'])?.rating).toBe(5)
  expect(ratingOf('5, Carla', ['Carla Dias'])?.rating).toBe(5)
})

test('the name of an operator that is a thing, too, is one only behind thanks', () => {
  expect(politeOf('obrigada, Rosa!', ['Rosa Lima'])).toBe('thanks')
  expect(politeOf('rosa, obrigada', ['Rosa Lima'])).toBeUndefined()
  expect(politeOf('rosa ok', ['Rosa Lima'])).toBeUndefined()
  expect(ratingOf('1 rosa', ['Rosa Lima'])).toBeUndefined()
  expect(ratingOf('2 caixa', ['Caixa 2'])).toBeUndefined()
})

test('whatever an operator is called, no sign of the name is a pattern', () => {
  for (const name of ['.*', '(a', '2', 'Ana+', '🙂 Ana', '', 'A'])
    expect(politeOf('pizza ok', [name])).toBe(undefined)
})
