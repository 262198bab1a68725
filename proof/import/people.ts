import type { Random } from '#simulator/random.ts'

/** A file of contacts, and what must be stored once it is imported. */
export interface Directory {
  csv: Buffer
  rows: number
  errors: number
  /** One line for each contact, sorted: what `storedLines` reads. */
  expected: string[]
  /** The contacts in the format of COPY: name, phone, email, category, tags, notes. */
  copyContacts: string
  /** Their numbers in the format of COPY: contact, kind, value, jid. */
  copyIdentities: string
}

const first = ['Ana', 'José', 'Conceição', 'Léo', 'Marília', 'Nuno', 'Óscar', 'Paula', 'Rita', 'Zé']
const last = ['Prado', 'Krüger', 'da Silva', 'Amorim', 'Boa Vista', 'Araújo', 'Lima', 'Sá', 'Gonçalves']
const categories = ['Cliente', 'Lead', 'Fornecedor', 'VIP']
const tags = ['boleto', 'obra', 'atacado', 'revenda']

const pickBy =
  (random: Random) =>
  <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value

/** Makes people with names, numbers and the rest by chance; one row in a hundred is wrong. */
export function makeDirectory(random: Random, rows: number, ddd: number): Directory {
  const lines = ['Nome;Telefone;Email;Categoria;Etiquetas;Notas']
  const expected: string[] = []
  const copyContacts: string[] = []
  const copyIdentities: string[] = []
  let errors = 0
  const pick = pickBy(random)
  for (let n = 0; n < rows; n++) {
    const name = `${pick(first)} ${pick(last)} ${n}`
    const local = `9${String(10_000_000 + n)}`
    const category = pick(categories)
    const tag = pick(tags)
    const notes = `paga em ${1 + Math.floor(random() * 90)} dias`
    const email = `pessoa.${ddd}.${n}@loja.example`
    const isWrong = n % 100 === 99
    if (isWrong) errors++
    const typed = isWrong ? '98871' : `(${ddd}) ${local.slice(0, 5)}-${local.slice(5)}`
    lines.push([name, typed, email, category.toUpperCase(), tag, notes].join(';'))
    if (isWrong) continue
    const phone = `55${ddd}${local}`
    expected.push([phone, name, email, category, tag, notes].join('|'))
    copyContacts.push([name, phone, email, category, `{${tag}}`, notes].join('\t'))
    copyIdentities.push([expected.length, 'phone', phone, phone].join('\t'))
  }
  const text = (all: string[]) => all.map((line) => `${line}\n`).join('')
  return {
    csv: Buffer.from(text(lines)),
    rows,
    errors,
    expected: expected.toSorted(),
    copyContacts: text(copyContacts),
    copyIdentities: text(copyIdentities),
  }
}
