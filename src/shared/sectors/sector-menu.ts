import { hasGesture, hasRaisedFigure, wordsIn } from '#shared/ornament.ts'
import { fold } from '#shared/text/fold.ts'

// The menu of sectors that a client chooses from before the queue. Pure.

/** A menu has a figure for each of its options. */
export const mostOptions = 9

/** One option of a menu, by its place in it. */
export interface MenuOption {
  sectorId: number
  name: string
  /** '' for none. */
  description: string
  /** When it opens, such as '08:00' or '08:00 de 02/12'; null: it is open. */
  opensAt: string | null
}

export interface SectorMenu {
  options: readonly MenuOption[]
  /** Whether it offers '0 - Cancelar'. */
  hasCancel: boolean
}

/**
 * '1 - Comercial: preços, pedidos e prazos (abre às 08:00)'
 * @param place from 1
 */
export function menuLine(place: number, { name, description, opensAt }: Omit<MenuOption, 'sectorId'>) {
  const what = description === '' ? name : `${name}: ${asSentenceEnd(description)}`
  return `${place} - ${what}${opensAt === null ? '' : ` (abre às ${opensAt})`}`
}

/** With a small first letter, unless it begins with an abbreviation. */
function asSentenceEnd(text: string): string {
  const [first = '', second = ''] = text
  const isAbbreviation = second === second.toLocaleUpperCase('pt-BR')
  return isAbbreviation ? text : first.toLocaleLowerCase('pt-BR') + text.slice(first.length)
}

/** A line for each option. */
export function menuText({ options, hasCancel }: SectorMenu): string {
  const lines = options.map((option, n) => menuLine(n + 1, option))
  return [...lines, ...(hasCancel ? ['0 - Cancelar'] : [])].join('\n')
}

const placeholder = /\{\{\s*opcoes\s*\}\}/g

/** A text of the settings with the options, which stand at its end where it has no place for them. */
export function withMenu(text: string, menu: SectorMenu): string {
  const options = menuText(menu)
  // A function, since names may contain '$'.
  if (text.search(placeholder) !== -1) return text.replace(placeholder, () => options)
  return text.trim() === '' ? options : `${text.trimEnd()}\n\n${options}`
}

const figures = ['zero', 'um', 'dois', 'tres', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove']
const wish = /^(?:(?:eu )?(?:quero|queria|gostaria de|preciso|posso) )?(?:(?:falar|conversar) )?/
const before =
  /^(?:com |de )?(?:o |a |um |uma )?(?:opcao |numero |setor |departamento )?(?:de |do |da )?(?:o |a )?/
const after = /(?: (?:por favor|por gentileza|favor|pf|pfv|ok|obrigado|obrigada|quero|claro))+$/

/**
 * It ends the conversation, so what says so is a closed list: 'quero cancelar' and '0 por favor' may ask for
 * something else.
 */
const cancelling = new Set(['0', 'zero', 'opcao 0', 'opcao zero', 'cancelar', '0 cancelar'])

/**
 * What an answer to a menu chooses: an option by its figure ('2', '2️⃣', 'opção 2', 'dois por favor'), by the
 * name of its sector ('financeiro', 'quero falar com o financeiro') or by its line, as a tapped option or a
 * quotation repeats it; 'cancel' by its figure or its word alone. An answer that says anything else chooses
 * nothing ('2 caixas', '2:30', 'financeiro ou suporte?').
 */
export function menuChoice(
  text: string,
  { options, hasCancel }: SectorMenu,
): MenuOption | 'cancel' | undefined {
  const said = wordsIn(text).join(' ')
  // Of a thumb or a photo nothing is left to compare, and of a name like '❤' neither.
  if (said === '') return undefined
  const offered = [...(hasCancel ? ['0'] : []), ...options.map((_option, n) => String(n + 1))]
  // Where a sector is called '2', the figure is still that of the second one.
  const isName = (words: string) => words !== '' && !offered.includes(words)
  const byLine = options.find((option, n) =>
    linesOf(option, n)
      .map((line) => wordsIn(line).join(' '))
      .some((words) => words === said && isName(words)),
  )
  if (byLine) return byLine
  const plain = text.normalize('NFKD')
  // A minus before a figure, or a separator between two, belongs to an amount, a time or a range.
  if (/^\s*[-–—]\s*\d|\d\s*[.,:]\s*\d/u.test(plain) || hasRaisedFigure(text) || /[?？❓❔⁉]/u.test(text))
    return undefined
  const core = said.replace(wish, '').replace(before, '').replace(after, '')
  if (hasCancel && cancelling.has(said.replace(/^opcao(?=\d)/, 'opcao ')))
    return hasGesture(text) ? undefined : 'cancel'
  const at = options.findIndex(
    ({ name }, n) =>
      [String(n + 1), figures[n + 1], `${n + 1} ${plainName(name)}`].includes(core) ||
      (isName(core) && plainName(name) === core),
  )
  return options[at]
}

/** The lines by which an option is repeated: with what it says, and without. */
function linesOf(option: MenuOption, n: number): string[] {
  const line = menuLine(n + 1, option)
  return [line, line.replace(/^\d - /, ''), `${n + 1} - ${option.name}`, option.name]
}

const plainName = (name: string) => wordsIn(fold(name)).join(' ')
