import { expect, test } from 'vitest'
import { optionOf } from '#shared/choice.ts'
import { ratingOf } from './ratings.ts'

// What people really answer to the question before the queue and to that for a rating, and what a careful
// person would take it for. A request that is taken for a choice or a rating is never seen by anybody, so
// whatever says more than a number is neither.

const question = 'Olá! Escolha uma opção:\n1 - Falar com um atendente\n2 - Encerrar'

interface Group {
  is: string
  option?: 'attend' | 'cancel'
  rating?: number
  /** In lines. */
  texts: string[][]
}

const groups: Group[] = [
  {
    is: 'one, with nothing else',
    option: 'attend',
    rating: 1,
    texts: [
      ['1', ' 1 ', '1.', '1)', '(1)', '[1]', '*1*', '_1_', '"1"', "'1'", '1!', '1,', '1;', '1:', '1 -'],
      ['1️⃣', '１', '1 👍', '👉 1', '1 🙏🏽', '1\n', '1...', '1 !!!', '“1”', '1 🙋‍♀️', '\u200e1', '1 ❤️', '1 ✅'],
    ],
  },
  {
    is: 'one, in words',
    option: 'attend',
    texts: [
      ['um', 'Um', 'UM', 'uma', 'Uma', 'um.', 'um!', 'um 👍', 'opção 1', 'Opção 1', 'OPÇÃO 1', 'opcao 1'],
      ['opção: 1', 'opção um', 'Opção 1.'],
    ],
  },
  {
    is: 'two, with nothing else',
    option: 'cancel',
    rating: 2,
    texts: [
      ['2', ' 2 ', '2.', '2)', '(2)', '*2*', '"2"', '2!', '2,', '2️⃣', '２', '2 👎', '2 😡', '2 -', '2...'],
      ['2 🙏🏾', '2 🙅‍♂️', '2❗', '2…'],
    ],
  },
  {
    is: 'two, in words',
    option: 'cancel',
    texts: [['dois', 'Dois', 'DUAS', 'dois.', 'opção 2', 'Opção 2', 'opcao 2', 'opção dois']],
  },
  // After the question for a rating they are requests: a conversation opens.
  { is: 'the first line', option: 'attend', texts: [['1 - Falar com um atendente']] },
  { is: 'what the first line offers', option: 'attend', texts: [['Falar com um atendente']] },
  { is: 'the second line', option: 'cancel', texts: [['2 - Encerrar', '2 - encerrar ']] },
  {
    is: 'three',
    rating: 3,
    texts: [['3', '3.', '(3)', '3️⃣', '*3*', '3 😐', 'nota 3', '3 estrelas', '⭐⭐⭐']],
  },
  {
    is: 'four',
    rating: 4,
    texts: [['4', '4!', '4️⃣', 'nota 4', 'Nota: 4', '4 estrelas', '⭐⭐⭐⭐', '★★★★']],
  },
  {
    is: 'five',
    rating: 5,
    texts: [
      ['5', ' 5 ', '5.', '5)', '(5)', '*5*', '5!', '5!!!', '5️⃣', '５', '5 👏', '5 👏👏👏', '5 ❤️', '😍 5'],
      ['nota 5', 'Nota 5', 'NOTA 5!', 'nota: 5', '5 estrelas', '5 estrelas!', '5 estrelas 🌟', '5 ⭐'],
      ['⭐⭐⭐⭐⭐', '⭐ ⭐ ⭐ ⭐ ⭐', '★★★★★', '🌟🌟🌟🌟🌟'],
    ],
  },
  { is: 'a low rating in other words', rating: 1, texts: [['nota 1', 'Nota: 1', '1 estrela']] },
  { is: 'a second rating in other words', rating: 2, texts: [['nota 2', '2 estrelas', '⭐⭐']] },
  {
    is: 'five with a comment',
    rating: 5,
    texts: [
      ['5, ótimo atendimento', '5 - Excelente', '5 – nota máxima', '5. Muito bom', '5: adorei', '5\nAdorei'],
      ['5, parabéns à equipe!', '5 - A Ana foi muito atenciosa', '5. Resolveu na hora. Obrigada!'],
      ['nota 5, resolveu tudo', 'Nota: 5 - rápido', '5 -\nmuito bom', '5 - ótimo atendimento, obrigado'],
      ['5, adorei 🍕', '5 - queria agradecer à Ana', '5. Gostaria de parabenizar a equipe', '5, sem dúvida'],
      [
        '5, como sempre',
        '5 - espetacular!',
        '5: super rápido',
        '5, o atendente foi ótimo',
        '5, tudo em ordem',
      ],
    ],
  },
  { is: 'four with a comment', rating: 4, texts: [['4, demorou um pouco', '4 - bom', '4. Gostei', '4: ok']] },
  {
    is: 'three with a comment',
    rating: 3,
    texts: [['3, mais ou menos', '3 - demorou', '3\nnão resolveu tudo']],
  },
  {
    is: 'two with a comment',
    rating: 2,
    texts: [
      ['2, péssimo', '2 - não gostei', '2. Não resolveu', '2, demorou muito', '2 - veio errado 📦'],
      ['2, o problema continua', '2. Esperei demais', '2 - precisa melhorar', '2, pouca atenção'],
    ],
  },
  {
    is: 'one with a comment',
    rating: 1,
    texts: [['1, horrível', '1 - nunca mais', '1. Demorou muito\ne não resolveu']],
  },
  {
    is: 'an amount',
    texts: [
      ['2.000 reais', '1.500 reais em aberto', '1.5', '2,5', '1,50', 'R$ 2,00', 'R$2', 'R$ 1', '1 real'],
      ['2 reais', '2 mil', '1 milhão', '5 reais', '3,99', '4.90', '1%', '5%', '10%', '2 por cento', '1/2'],
      ['200', '12', '10', '15', '100', '5000', '2kg', '5 kg', '1 litro', '3 caixas', '2 unidades', '1 par'],
      ['3x sem juros?', '3x', '2x', '12x', '5 x 3', '2 pacotes de 5', '1 de cada', '2 dúzias', '4 pneus'],
    ],
  },
  {
    is: 'a time or a date',
    texts: [
      ['2:30 pode ser?', '2:30', '14:30', '1h', '2h', '2h30', '5h da tarde', 'às 2', '1 hora', '2 horas'],
      ['5 minutos', '3 min', '1 dia', '2 dias', '3 semanas', '1 mês', '2 anos', 'dia 2', 'dia 5', '1/12'],
      ['2/3', '5/10', '02/03', '2/3/2026', '5 de maio', '1 de dezembro', 'amanhã às 2', 'segunda 2h'],
    ],
  },
  {
    is: 'an ordinal',
    texts: [
      ['2ª via do boleto', '2a via', '2 via', '2ª via', '1º', '2º', '1ª', '2ª', '3º', '5ª', '1º andar'],
      ['primeiro', 'primeira', 'segundo', 'segunda', 'terceira', 'a primeira', 'primeira opção', '5º lote'],
    ],
  },
  {
    is: 'a range or a list',
    texts: [
      ['2-3 dias', '2 - 3 dias', '1-2', '1 a 2', '1 e 2', '1 ou 2', '1, 2', '1,2', '1 2', '3/4', '3 a 5'],
      ['4, 5 ou 6', '5, 10 ou 15 unidades', '1. 500', '2: 300', '5 - 10', '1.2.3', '2 ou 3 peças'],
    ],
  },
  {
    is: 'a question',
    texts: [
      ['1?', '2?', '5?', 'um?', '5 - quanto custa?', '2. Tem em azul?', '1, é isso?', '3: entrega hoje?'],
      ['Quanto custa?', 'Tem 2?', 'Vocês abrem às 2?', 'qual a 1?', 'o que é 1?', '5, tá bom?', '2 serve?'],
    ],
  },
  {
    is: 'a request',
    texts: [
      ['quero 1', 'me vê 2', 'preciso de 5', '1 pizza', '2 pizzas grandes', 'um pedido', 'uma dúvida'],
      ['duas coisas', 'dois pedidos', 'quero falar com um atendente', 'atendente', 'falar com atendente'],
      ['boleto', 'segunda via', 'cancelar', 'encerrar', 'sair', 'quero cancelar', '1 favor', '2 dúvidas'],
      [
        '2. Gostaria de saber o preço',
        '5. preciso da segunda via do boleto',
        '1 - quero falar com o gerente',
      ],
      [
        '1 - Falar com o suporte',
        '2, pode me ligar',
        '3. manda o boleto',
        '5 - quanto fica o frete',
        '4: 2ª via',
      ],
      [
        '2 - cancelar meu plano',
        '1. Agendar consulta',
        '3, queria trocar a peça',
        '2 - segunda via',
        '5 - pix',
      ],
      [
        '5, me envia a nota por favor',
        '1, tenho uma dúvida',
        '3. tem em azul',
        '2 - qual o valor',
        '5 - R$ 500',
      ],
      [
        '5: R$ 500',
        '5, são 49,90',
        '4 - são quinhentos reais',
        '1. 🙏 quero um orçamento',
        '3, onde fica a loja',
      ],
      ['5 muito bom', '5 ótimo', 'dou 5', 'meu pedido 1', 'apartamento 2', 'bloco 5', 'nº 1', 'número 2'],
    ],
  },
  {
    is: 'an order or a thing, by its emoji',
    texts: [
      [
        '2 🍕',
        '2🍺',
        '2 📄',
        '🏠 2',
        'duas 🍕🍕',
        '1 🍕',
        'uma 🍕',
        '5 📦',
        '3 🍕',
        '2 🐶',
        '2 😺',
        '2 😷',
        '2 💐',
      ],
      [
        '2 💊',
        '1 🎂',
        '4 🛞',
        '2 🛏️',
        '5 🥚',
        '3 📄',
        '1 🏠',
        '2 ♂',
        '2 🇧🇷',
        '5, 📦',
        '3\n🍕',
        '1 - 🚕',
        '2 ☎️',
      ],
    ],
  },
  {
    is: 'a question, by its mark',
    texts: [
      [
        '2❓',
        '2 ❓',
        '1❔',
        '5 ❓',
        'nota 5 ❓',
        '2⁉️',
        '5, ?',
        '1. ?',
        '5\n?',
        '5, ótimo ❓',
        '3 - ???',
        '2？',
      ],
    ],
  },
  {
    is: 'another number',
    texts: [
      ['0', '6', '7', '9', '00', '01', '02', '05', '11', '22', '55', '123', '11987654321', '-1', '-2', '+5'],
      ['- 1', '5+', '5/5', '10/10', '4,5', '3.5', '1º2', 'nota 10', 'nota 0', '6 estrelas', 'tamanho 5'],
      ['123.456.789-00', 'Rua 2, casa 3', '5511987654321', 'A1', 'v2', '2B', '1x1', '1+1', '2=2', '#'],
      ['²', '¹', '5²', '₂', '½', '2½', '🔟', '1️⃣0️⃣', '2️⃣5️⃣'],
    ],
  },
  {
    is: 'thanks, a greeting or an emoji',
    texts: [
      ['obrigada', 'obrigado!', 'valeu', 'muito obrigado', 'ok', 'Ok!', 'blz', 'tmj', 'sim', 'não', 'oi'],
      ['bom dia', 'boa tarde', 'Olá, tudo bem', '👍', '🙏', '❤️', '😊', '😡', '👏👏👏', '⭐', '🌟', '🎉'],
      ['kkkk', 'top', 'show', 'nota mil', 'cinco', 'cinco estrelas', 'excelente', 'péssimo', '', ' ', '...'],
    ],
  },
]

const answers = groups.flatMap(({ is, option, rating, texts }) =>
  texts.flat().map((text) => ({ is, text, option, rating })),
)

test.each(answers)('the real answer $text is read as $is', ({ text, option, rating }) => {
  expect({ option: optionOf(text, question), rating: ratingOf(text)?.rating }).toEqual({ option, rating })
})

test('each is written down once', () => {
  const texts = answers.map(({ text }) => text)
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts.length).toBeGreaterThanOrEqual(400)
})
