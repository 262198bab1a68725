import { wordsIn } from '#shared/ornament.ts'
import { fold } from '#shared/text/fold.ts'

// The words that thank, praise or say goodbye, and those that join them. The lists are closed: whoever says
// anything else has a request, in doubt. 'Não' and 'mas' are in none of them, and no noun for something that
// can be sold.

const list = (words: string) => new Set(words.trim().split(/\s+/))

/** Of a mark: '5 estrelas', 'dou nota 5'. */
export const markWords = list('nota notas estrela estrelas dou minha e')
const thanking = list(`
  obrigado obrigada obrigados obrigadas obg obgd obgda obrigadao brigado brigada brigadao agradeco
  agradecer agradecemos agradecido agradecida grato grata gratidao valeu vlw vlww tmj abencoe deus amem
  amei adorei adoramos gostei gostamos`)
const leaving = list(`
  tchau tchauzinho ate logo mais amanha breve abraco abracos abs bjs beijo beijos bom boa dia tarde noite
  semana fim final descanso trabalho feriado`)
const praising = list(`
  parabens parabenizar elogiar bom boa bons boas otimo otima otimos otimas excelente excelentes perfeito
  perfeita maravilhoso maravilhosa maravilha incrivel espetacular sensacional fantastico fantastica
  impecavel nota maxima maximo top show massa legal bacana lindo linda querido querida atencioso atenciosa
  atenciosos educado educada educados gentil gentis simpatico simpatica prestativo prestativa competente
  profissional profissionais eficiente eficaz rapido rapida rapidos rapidez agil agilidade atencao cuidado
  carinho educacao simpatia eficiencia qualidade satisfeito satisfeita feliz sucesso resolveu resolvido
  resolvida resolveram ajudou ajudaram ajuda atendeu atenderam recomendo recomendado melhor melhores nota
  atendimento tranquilo certo certinho beleza blz joia ok okay`)
const joining = list(`
  o a os as um uma e de da do das dos no na nos nas em ao aos com por pelo pela pelos pelas pra para que
  foi foram fui e era sou estou to ta esta muito muita muitos muitas mt mto mta super tao bem demais
  sempre tudo todo toda todos todas ja sim eu voce voces vc vcs te lhe lhes me meu minha nosso nossa seu
  sua esse essa este esta atendimento atendente atendentes equipe time pessoal turma empresa loja servico
  experiencia atencao queria gostaria`)
const laughing = /^(?:k{2,}|(?:ha|he|rs){1,}h?|rs+|aee*|o+h|ah+|uau|eba)$/
const celebrating = /[⭐★🌟✨🎉🎊🥂🏆💯🔥👑💫]/gu

/** What praises, of words that do not on their own. */
const phrases = /(?<!\p{L})(?:na hora|sem d[uú]vida|em ordem|como sempre)(?!\p{L})/giu

/** A message in words; undefined when a sign is left that is none: '2 🍕', '5 📦'. */
export function wordsOf(text: string): string[] | undefined {
  const words = wordsIn(text.replaceAll(celebrating, ' ').replaceAll(phrases, 'ótimo'))
  return words.every((word) => /^[\p{L}\d]+$/u.test(word)) ? words : undefined
}

/** Whether something is asked, by its mark. */
export const asks = (text: string): boolean => /[?？❓❔⁉]/u.test(text)

/** Whether what is written before a mark only introduces it: 'dou nota', 'obrigado', 'excelente'. */
export const isMark = (words: readonly string[]): boolean =>
  words.every((word) => markWords.has(word) || thanking.has(word) || praising.has(word))

/** Whether what is written behind a mark only thanks or praises. @param names of the operator */
export function isPraise(words: readonly string[], names: readonly string[]): boolean {
  const named = namesIn(names)
  const isNice = (word: string) => isKind(word) || named.has(word)
  return (
    words.every((word) => isNice(word) || joining.has(word)) && (words.length === 0 || words.some(isNice))
  )
}
const namesIn = (names: readonly string[]) => new Set(names.flatMap((name) => fold(name).split(/\s+/)))
const isKind = (word: string) =>
  thanking.has(word) || praising.has(word) || markWords.has(word) || laughing.test(word)

const longestThanks = 300

/**
 * Whether a message only thanks, praises or says goodbye, in words or by emoji: 'Obrigado! 🙏', 'até mais',
 * 'nota 10', '👍'. It needs no answer, and is no rating.
 */
export function onlyThanks(text: string, names: readonly string[] = []): boolean {
  if (text.trim() === '' || text.length > longestThanks || asks(text) || angry.test(text)) return false
  const words = wordsOf(
    text.replaceAll(/\b(?:nota\s*:?\s*)?(?:10{1,3}|dez|mil)(?:\s*\/\s*10)?\b/giu, ' nota '),
  )
  if (!words || words.some((word) => /\d/.test(word))) return false
  if (words.length === 0) return /\p{Extended_Pictographic}/u.test(text)
  const named = namesIn(names)
  const isKnown = (word: string) => isKind(word) || leaving.has(word) || joining.has(word) || named.has(word)
  // 'Bom dia' is a greeting, which begins something.
  const saysEnough = (word: string) => isKind(word) && !/^(?:bom|boa|bons|boas|e)$/.test(word)
  return words.every(isKnown) && words.some((word) => saysEnough(word) || parting.has(word))
}
/** Words that say goodbye on their own. */
const parting = list('tchau tchauzinho ate abraco abracos abs bjs beijo beijos')
const angry = /[😠😡🤬😤😞😢😭😒🙄💔👎]/u
