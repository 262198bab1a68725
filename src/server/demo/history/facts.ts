import type { Dice } from './random.ts'
import type { DemoPerson } from '#server/demo/people.ts'
import { brazilianDay, dayMs, hourOf, nextWorkday, weekdayOf } from './calendar.ts'

/** Values of the slots in a conversation's sentences; constant throughout the conversation. */
export type Facts = Readonly<Record<string, string>>

interface Product {
  one: string
  many: string
  isFeminine: boolean
  price: number
  quantities: readonly number[]
}

function product(
  one: string,
  many: string,
  gender: 'f' | 'm',
  price: number,
  quantities: readonly number[],
): Product {
  return { one, many, isFeminine: gender === 'f', price, quantities }
}

const products: readonly Product[] = [
  product('caixa de papelão 40×40×30', 'caixas de papelão 40×40×30', 'f', 6.4, [40, 50, 100, 200]),
  product('caixa de papelão 20×15×10', 'caixas de papelão 20×15×10', 'f', 1.85, [100, 250, 500]),
  product('caixa para e-commerce nº 3', 'caixas para e-commerce nº 3', 'f', 2.2, [100, 200, 300]),
  product('caixa de pizza 35 cm', 'caixas de pizza 35 cm', 'f', 1.35, [200, 500, 1000]),
  product('caixa de bolo 30×30', 'caixas de bolo 30×30', 'f', 4.9, [25, 50, 100]),
  product('caixa para 6 cupcakes', 'caixas para 6 cupcakes', 'f', 3.75, [50, 100, 150]),
  product('caixa com visor', 'caixas com visor', 'f', 4.1, [50, 100, 200]),
  product('caixa arquivo', 'caixas arquivo', 'f', 5.3, [20, 40, 60]),
  product('sacola kraft média', 'sacolas kraft médias', 'f', 1.12, [250, 500, 1000]),
  product('sacola kraft grande', 'sacolas kraft grandes', 'f', 1.59, [200, 300, 500]),
  product('sacola boca de palhaço', 'sacolas boca de palhaço', 'f', 0.38, [500, 1000, 2000]),
  product('embalagem para hambúrguer', 'embalagens para hambúrguer', 'f', 0.62, [300, 500, 1000]),
  product('bandeja de isopor B3', 'bandejas de isopor B3', 'f', 0.21, [400, 800, 1600]),
  product('bobina picotada 30×40', 'bobinas picotadas 30×40', 'f', 21.9, [6, 10, 12, 24]),
  product('bobina de plástico-bolha', 'bobinas de plástico-bolha', 'f', 189, [4, 5, 6, 8]),
  product('bobina de papel semikraft', 'bobinas de papel semikraft', 'f', 96.5, [4, 5, 6]),
  product('bobina de filme stretch', 'bobinas de filme stretch', 'f', 47.8, [4, 6, 8, 12]),
  product('fita adesiva transparente', 'fitas adesivas transparentes', 'f', 4.9, [36, 72, 144]),
  product('fita gomada', 'fitas gomadas', 'f', 18.4, [12, 24, 36]),
  product('etiqueta térmica 10×15', 'etiquetas térmicas 10×15', 'f', 39.9, [4, 8, 10, 20]),
  product('tampa para marmita nº 8', 'tampas para marmita nº 8', 'f', 0.19, [500, 1000]),
  product('saco kraft 5 kg', 'sacos kraft 5 kg', 'm', 0.34, [500, 1000, 2000]),
  product('saco plástico 20×30', 'sacos plásticos 20×30', 'm', 0.16, [1000, 2000, 3000]),
  product('saco a vácuo 25×35', 'sacos a vácuo 25×35', 'm', 0.88, [200, 300, 500]),
  product('saco de lixo 100 L', 'sacos de lixo 100 L', 'm', 0.95, [100, 200, 300]),
  product('envelope de segurança 32×40', 'envelopes de segurança 32×40', 'm', 0.79, [250, 500, 1000]),
  product('envelope kraft A4', 'envelopes kraft A4', 'm', 0.55, [100, 250, 500]),
  product('pote redondo 500 ml', 'potes redondos 500 ml', 'm', 0.92, [100, 250, 500]),
  product('copo de papel 240 ml', 'copos de papel 240 ml', 'm', 0.41, [500, 1000, 2000]),
  product('copo para açaí 400 ml', 'copos para açaí 400 ml', 'm', 0.48, [500, 1000]),
  product('canudo de papel', 'canudos de papel', 'm', 0.12, [1000, 2000, 5000]),
  product('rótulo adesivo redondo', 'rótulos adesivos redondos', 'm', 0.22, [500, 1000]),
  product('papel de seda branco', 'papéis de seda brancos', 'm', 0.31, [200, 500, 1000]),
  product('tubo de papelão 60 cm', 'tubos de papelão 60 cm', 'm', 3.6, [30, 50, 100]),
  product('rolo de barbante cru', 'rolos de barbante cru', 'm', 13.2, [6, 12, 24]),
  product('lacre numerado', 'lacres numerados', 'm', 0.27, [500, 1000]),
]

const streets = [
  'Rua das Palmeiras',
  'Av. Brasil',
  'Rua XV de Novembro',
  'Rua Dom Pedro II',
  'Av. Getúlio Vargas',
  'Rua Sete de Setembro',
  'Rua Padre Anchieta',
  'Travessa do Comércio',
  'Rua Santos Dumont',
  'Av. Beira-Mar',
  'Rua Tiradentes',
  'Alameda dos Ipês',
] as const
const quarters = [
  'Centro',
  'Jardim América',
  'Vila Nova',
  'Boa Vista',
  'São José',
  'Santa Luzia',
  'Industrial',
  'Bela Vista',
  'Alto da Glória',
  'Parque das Flores',
] as const
const carriers = ['Rota Sul', 'Expresso Mantiqueira', 'TransCerrado', 'Litorânea Cargas'] as const
const drivers = ['Josué', 'Valmir', 'Edinho', 'Seu Arlindo', 'Robson', 'Gilmar'] as const
const windows = [
  'entre 8h e 10h',
  'entre 9h e 11h',
  'entre 10h e 12h',
  'entre 13h e 15h',
  'entre 14h e 16h',
  'entre 15h e 17h',
] as const
const uses = [
  'bolo',
  'salgados',
  'roupas',
  'velas',
  'marmitas',
  'presentes',
  'cosméticos',
  'peças pequenas',
] as const
const roads = ['Dutra', 'Régis', 'Fernão Dias', 'Anhanguera', 'BR-101'] as const
const soon = [
  'em mais ou menos uma hora',
  'em 40 minutos',
  'daqui a pouco',
  'em meia hora',
  'até o fim do dia',
  'em umas duas horas',
] as const
const others = [
  'Neide Prado',
  'Cleonice Barros',
  'Seu Valdir',
  'Patrick Amorim',
  'Dalva Rocha',
  'Ivan Tozzi',
  'Mirela Castanho',
  'Rogério Pinho',
  'Sueli Akemi Ono',
  'Zé Carlos',
] as const
const feasts = [
  'a Páscoa',
  'a Páscoa',
  'a Páscoa',
  'o Dia das Mães',
  'o Dia dos Namorados',
  'as festas juninas',
  'o Dia dos Pais',
  'a primavera',
  'o Dia das Crianças',
  'o Natal',
  'o Natal',
  'o Natal',
] as const
const weekdays = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'] as const

// Created once: a formatter costs more than formatting a thousand numbers.
const cents = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const units = new Intl.NumberFormat('pt-BR')
function money(value: number) {
  return cents.format(value)
}
function whole(value: number) {
  return units.format(value)
}
function article(isFeminine: boolean) {
  return isFeminine ? 'a' : 'o'
}

/** Draws the slot values of a conversation that begins `at`. */
export function drawFacts(
  dice: Dice,
  person: DemoPerson,
  operator: { name: string; isWoman: boolean },
  at: Date,
): Facts {
  const first = dice.pick(products)
  const second = dice.pick(products.filter(({ one }) => one !== first.one))
  const [quantity, otherQuantity] = [dice.pick(first.quantities), dice.pick(second.quantities)]
  const total = quantity * first.price
  const number = (digits: number) => String(dice.between(10 ** (digits - 1), 10 ** digits - 1))
  const street = `${dice.pick(streets)}, ${dice.between(12, 2480)}`
  return {
    ...greetings(at),
    ...days(dice, at),
    nome: person.call,
    op: operator.name,
    cli: article(person.isWoman),
    op_o: article(operator.isWoman),
    op_a: article(operator.isWoman),
    prod: first.one,
    prods: first.many,
    prod2: second.one,
    prods2: second.many,
    o: article(first.isFeminine),
    os: `${article(first.isFeminine)}s`,
    qtd: whole(quantity),
    qtd2: whole(otherQuantity),
    falta: whole(dice.between(2, Math.min(12, Math.floor(quantity / 2)))),
    estoque: whole(quantity * dice.between(2, 7)),
    preco: money(first.price),
    preco2: money(first.price * 0.93),
    precocx: money(dice.between(240, 1190) / 100),
    total: money(total),
    total2: money(total + otherQuantity * second.price),
    frete: money(dice.between(38, 190)),
    valor: money(dice.between(18_000, 420_000) / 100),
    desc: `${dice.pick([3, 4, 5, 5, 7])}%`,
    medida: `${dice.between(18, 60)}×${dice.between(15, 45)}×${dice.between(8, 40)}`,
    uso: dice.pick(uses),
    prazo: `${dice.between(2, 8)} dias úteis`,
    pedido: `${dice.between(31, 58)}.${number(3)}`,
    nf: `${dice.between(40, 62)}.${number(3)}`,
    linha:
      `34191.${number(5)} ${number(5)}.${number(6)} ${number(5)}.${number(6)} ` +
      `${number(1)} ${number(14)}`,
    cnpj: `${number(2)}.${number(3)}.${number(3)}/0001-${number(2)}`,
    rastreio: `QB${number(9)}BR`,
    placa: `RT${dice.pick(['K', 'M', 'P'])}${number(1)}${dice.pick(['B', 'D', 'F'])}${number(2)}`,
    rua: street,
    bairro: dice.pick(quarters),
    cidade: person.city,
    transp: dice.pick(carriers),
    motorista: dice.pick(drivers),
    rodovia: dice.pick(roads),
    loja: person.company ?? `loja ${person.call}`,
    dominio: person.email?.split('@')[1] ?? 'contabilidade.example',
    hora: `${dice.between(9, 17)}h${dice.pick(['', '15', '30', '45'])}`,
    janela: dice.pick(windows),
    logo: dice.pick(soon),
    outro: dice.pick(others),
    fone: `(${number(2)}) 9${number(4)}-${number(4)}`,
  }
}

function greetings(at: Date): Facts {
  const hour = hourOf(at)
  const [bom, dia_bom] =
    hour < 12 ? ['Bom dia', 'bom dia'] : hour < 18 ? ['Boa tarde', 'boa tarde'] : ['Boa noite', 'boa noite']
  return {
    bom,
    dia_bom: hour < 12 ? 'bom dia pra vocês' : hour < 18 ? 'boa tarde pra vocês' : 'boa noite pra vocês',
    dia_bom_maiusculo: hour < 12 ? 'Um ótimo dia!' : hour < 18 ? 'Boa tarde!' : 'Boa noite!',
    oi: `Oi|Olá|${bom}|${bom}|Oi, ${dia_bom}|Olá, ${dia_bom}|Opa|Oii|Oi, tudo bem`,
    opoi:
      `Oi, {nome}!|${bom}, {nome}!|Olá, {nome}!|Oi, {nome}, ${dia_bom}!|${bom}!|` +
      'Oi, {nome}, tudo bem?|Olá!',
  }
}

function days(dice: Dice, at: Date): Facts {
  const coming = nextWorkday(at, dice.between(1, 3))
  const isTomorrow = coming.getTime() - at.getTime() < 1.5 * dayMs
  const past = new Date(at.getTime() - dice.between(2, 5) * dayMs)
  const later = nextWorkday(at, dice.between(4, 12))
  const dayAndMonth = (day: Date) => brazilianDay(day).slice(5).split('-').reverse().join('/')
  return {
    dia: isTomorrow ? 'amanhã' : (weekdays[weekdayOf(coming)] ?? ''),
    ontem: dice.pick(['ontem', 'anteontem', weekdays[weekdayOf(past)] ?? 'ontem']),
    passada: dayAndMonth(past),
    data: dayAndMonth(later),
    festa: feasts[Number(brazilianDay(at).slice(5, 7)) - 1] ?? 'o Natal',
  }
}

/** Fills the slots of a sentence. A slot with several variants draws one at each use. */
export function fill(dice: Dice, sentence: string, facts: Facts): string {
  // The parts compose to 'Oi, tudo bem! Vocês'; people write it as a question.
  const said = fillSlots(dice, sentence, facts).replace(
    /tudo bem[!.,] (\p{L})/gu,
    (_, letter: string) => `tudo bem? ${letter.toUpperCase()}`,
  )
  return said.charAt(0).toUpperCase() + said.slice(1)
}

function fillSlots(dice: Dice, sentence: string, facts: Facts): string {
  return sentence.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const ways = facts[slot]
    if (ways === undefined) throw new Error(`no such slot: ${slot}`)
    return fillSlots(dice, dice.pick(ways.split('|')), facts)
  })
}
