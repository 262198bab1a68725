import { wordsIn } from '#shared/ornament.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'

// The words that may stand beside the figure of a rating: of thanks, of praise, and those that join them. The
// lists are closed: whoever says anything else has a request, in doubt. 'Não' and 'mas' are in none of them,
// and no noun for something that can be sold or asked for.

const list = (words: string) => new Set(words.trim().split(/\s+/))

/** Of a mark, before its figure: 'minha nota é 5', 'dou 5'. */
const introducing = list('nota estrela estrelas dou e')
/** Behind its figure; two 'notas' are invoices. */
export const starWords = list('estrela estrelas')
const thanking = list(`
  obrigado obrigada obrigados obrigadas obg obgd obgda obrigadao brigado brigada brigadao agradeco
  agradecer agradecemos agradecido agradecida grato grata gratidao valeu vlw vlww tmj abencoe deus amem
  amei adorei adoramos gostei gostamos`)
/** What directly follows a figure is counted by it: '2 boas', '2 profissionais', '1 atenção'. */
const counted = list(`
  boas bons otimos otimas excelentes atenciosos educados gentis profissionais rapidos melhores maravilhosos
  lindos lindas agilidade atencao cuidado carinho educacao simpatia eficiencia qualidade sucesso`)
const praising = list(`
  parabens parabenizar elogiar bom boa otimo otima excelente perfeito perfeita maravilhoso maravilhosa
  maravilha incrivel espetacular sensacional fantastico fantastica impecavel maxima maximo top show legal
  bacana lindo linda querido querida atencioso atenciosa educado educada gentil simpatico simpatica
  prestativo prestativa competente profissional eficiente eficaz rapido rapida rapidez agil satisfeito
  satisfeita feliz resolveu resolvido resolvida resolveram ajudou ajudaram atendeu atenderam recomendo
  recomendado melhor atendimento tranquilo certo certinho beleza blz ok okay`)
const joining = list(`
  o a os as e de da do das dos no na nos nas em ao aos com por pelo pela pelos pelas que foi foram era sou
  ta esta muito muita muitos muitas mt mto mta super tao bem demais sempre tudo todo toda todos todas ja sim
  eu voce voces vc vcs te lhe lhes seu sua atendimento atendente atendentes equipe time pessoal turma
  servico experiencia esse essa este`)
const laughing = /^(?:k{2,}|(?:ha|he|rs){1,}h?|rs+|aee*|o+h|ah+|uau|eba)$/
const celebrating = /[⭐★🌟✨🎉🎊🥂🏆💯🔥👑💫]/gu

/** What praises or thanks, of words that do not on their own: 'ajuda' alone asks for it. */
const phrases = [
  'na hora|sem d[uú]vida|em ordem|como sempre|minha nota|nota m[aá]xima',
  'p(?:or|ela) (?:sua |toda |toda a )?ajuda',
  '(?:quero|queria|gostaria de) (?:agradecer|parabenizar|elogiar)',
  'para (?:voc[eê]s?|vcs?)|pra (?:voc[eê]s?|vcs?)',
].join('|')
const praisingPhrases = new RegExp(String.raw`(?<!\p{L})(?:${phrases})(?!\p{L})`, 'giu')

/** Without what only celebrates. */
export const withoutStars = (text: string): string => text.replaceAll(celebrating, ' ')

/** The words of an answer; undefined when a sign is left that is none: '2 🍕', '5 📦'. */
export function wordsOf(text: string): string[] | undefined {
  const words = wordsIn(withoutStars(text).replaceAll(praisingPhrases, 'ótimo'))
  return words.every((word) => /^[\p{L}\d]+$/u.test(word)) ? words : undefined
}

/** Whether something is asked, by its mark. */
export const asks = (text: string): boolean => /[?？❓❔⁉]/u.test(text)

/** Whether a text ends with a question, perhaps with a smile behind its mark. */
export const asksAtEnd = (text: string): boolean => asks(text.split(/[\p{L}\p{N}]/u).at(-1) ?? '')

/** Neither the caption of a picture nor an order or a product, which are described in words. */
export const isText = ({ content: { messageType, metadata } }: IncomingMessage): boolean =>
  messageType === 'text' && metadata.gatewayType === undefined

/** Whether what is written before a mark only introduces it: 'dou nota', 'obrigado', 'excelente'. */
export const isMark = (words: readonly string[]): boolean =>
  words.every((word) => introducing.has(word) || thanking.has(word) || praising.has(word))

/**
 * Whether what is written behind a mark only thanks or praises.
 * @param names of the operator. One that is a thing, too, is none beside a figure: '1 rosa' is an order.
 */
export function isPraise(words: readonly string[], names: readonly string[]): boolean {
  if (counted.has(words[0] ?? '')) return false
  const first = new Set(firstNames(names).filter((name) => !isThing(name)))
  const isNice = (word: string) => isKind(word) || first.has(word)
  const said = withFirstNames(words.join(' '), names).split(' ')
  return words.length === 0 || (said.every((word) => isNice(word) || joining.has(word)) && said.some(isNice))
}
const isKind = (word: string) =>
  thanking.has(word) || praising.has(word) || counted.has(word) || starWords.has(word) || laughing.test(word)

/** What operators are called in a message; of 'Ana Leite' the 'leite' is milk. */
export const firstNames = (names: readonly string[]): string[] =>
  names.flatMap((name) => wordsIn(name)[0] ?? []).filter((name) => /^\p{L}[\p{L}\d]+$/u.test(name))

/** With whole names shortened to the first one. @param said words, as of `wordsIn` */
export function withFirstNames(said: string, names: readonly string[]): string {
  const shorten = (rest: string, [first, ...others]: string[]) =>
    first === undefined || others.length === 0
      ? rest
      : ` ${rest} `.replaceAll(` ${first} ${others.join(' ')} `, ` ${first} `).trim()
  return names.map(wordsIn).reduce(shorten, said)
}

/** Whether a first name, or what a team calls a login, is also something to be sold or asked for. */
export const isThing = (name: string): boolean => things.has(name)
const things = list(`
  rosa margarida violeta hortencia dalia iris jasmim camelia magnolia acucena amora flor flora mel perola
  jade rubi safira esmeralda agata cristal estrela luz lua sol clara branca bela linda graca socorro domingos
  aurora caixa loja venda vendas suporte balcao recepcao atendimento atendente gerente gerencia financeiro
  comercial entrega entregas estoque cozinha bar administracao administrador admin equipe turno`)
