import { describedTexts as words } from '#shared/text/text.ts'
import { decimal, field, integer, items, natural, text } from './values.ts'

type Lines = (string | undefined)[]

const mostItems = 100

/** An amount as people read it; undefined where there is none. */
export function money(amount: number | undefined, currency: unknown): string | undefined {
  const code = text(currency)
  if (amount === undefined) return undefined
  const style =
    code && /^[A-Z]{3}$/.test(code)
      ? ({ style: 'currency', currency: code } as const)
      : ({ minimumFractionDigits: 2 } as const)
  // The formatter's no-break spaces would make the text impossible to search for.
  return amount.toLocaleString('pt-BR', style).replace(/\s/g, ' ')
}

/** An amount that is given in thousandths. */
export function thousandths(value: unknown): number | undefined {
  const amount = decimal(integer(value))
  return amount === undefined ? undefined : amount / 1000
}

/** An amount that is given as `{value, offset}`; 0 counts as none. */
function withOffset(value: unknown): number | undefined {
  const amount = integer(field(value, 'value'))
  const offset = integer(field(value, 'offset')) ?? 1
  return amount && offset > 0 ? amount / offset : undefined
}

const keyKinds = new Map<unknown, string>([
  ['PHONE', 'celular'],
  ['EMAIL', 'e-mail'],
  ['CPF', 'CPF'],
  ['CNPJ', 'CNPJ'],
  ['EVP', 'aleatória'],
])

function keyLines(setting: unknown): Lines {
  const code = field(setting, 'pix_static_code')
  const key = text(field(code, 'key'))
  const dynamic = text(field(field(setting, 'pix_dynamic_code'), 'code'))
  if (key !== undefined) {
    const kind = keyKinds.get(field(code, 'key_type'))
    const label = kind === undefined ? words.pixKey : `${words.pixKey} (${kind})`
    return [words.pix, text(field(code, 'merchant_name')), `${label}: ${key}`]
  }
  return dynamic === undefined ? [] : [words.pix, `${words.pixCode}: ${dynamic}`]
}

function itemLine(item: unknown): string | undefined {
  const name = text(field(item, 'name'))
  const quantity = natural(field(item, 'quantity')) ?? 1
  return name !== undefined && quantity > 1 ? `${quantity} × ${name}` : name
}

/** The parameters of a charge, or of the card of a Pix key; empty when they are something else. */
export function chargeLines(params: unknown): Lines {
  const total = money(withOffset(field(params, 'total_amount')), field(params, 'currency'))
  return [
    ...items(field(field(params, 'order'), 'items'), mostItems).map(itemLine),
    total && words.total.replace('{amount}', () => total),
    ...items(field(params, 'payment_settings'), 10).flatMap(keyLines),
    text(field(params, 'additional_note')),
  ]
}

const noteOf = (value: unknown) => {
  const note = field(value, 'noteMessage')
  return text(field(note, 'conversation')) ?? text(field(field(note, 'extendedTextMessage'), 'text'))
}

/** The request of a payment. */
export function requestLines(value: unknown): Lines {
  const given = field(value, 'amount')
  const amount = withOffset(given) ?? thousandths(field(value, 'amount1000'))
  const currency = text(field(given, 'currencyCode')) ?? field(value, 'currencyCodeIso4217')
  const said = money(amount, currency)
  return [said ? `${words.paymentRequest}: ${said}` : words.paymentRequest, noteOf(value)]
}

/** The notice that a payment was made. */
export const paymentLines = (value: unknown): Lines => [words.payment, noteOf(value)]
