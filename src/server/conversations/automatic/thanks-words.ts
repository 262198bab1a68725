import { wordsIn } from '#shared/ornament.ts'
import { asks, firstNames, isThing, withFirstNames, withoutStars } from './polite-words.ts'

// What a message may consist of that needs no answer after the end: phrases that thank, take leave or
// acknowledge, and what joins them. The lists are closed. A word that may be part of a request ('ajuda',
// 'amanhã', 'nota', 'para', 'minha', a number) is in them only within a phrase: 'obrigado pela ajuda', 'até
// amanhã', 'nota 10'. All is written as `wordsIn` leaves it: without case, accents and punctuation.

/** One of the patterns of some lines. */
const oneOf = (lines: string) => {
  const patterns = lines.split('\n').map((line) => line.trim())
  return `(?:${patterns.filter(Boolean).join('|')})`
}

const you = '(?:voces?|vcs?)'
const fine = '(?:otim[oa]|excelente|bo[am]|boas|lind[oa]|feliz|abencoad[oa]|maravilhos[oa])'
const very = '(?:muit[oa]|mto|mta|mt|super|bem|tao)'
const service = '(?:atendimento|servico|trabalho)'
/** What a team is thanked for. */
const given = oneOf(`
  ajuda|atencao|${service}|carinho|agilidade|rapidez|paciencia|gentileza|educacao|simpatia|disponibilidade
  retorno|resposta|informac(?:ao|oes)|suporte|forca|cuidado|dedicacao|compreensao|presteza|eficiencia
  orientac(?:ao|oes)|dicas?|esclarecimentos?|confianca|prontidao|profissionalismo|equipe`)
const praise = oneOf(`
  otim[oa]s?|excelentes?|perfeit[oa]|maravilhos[oa]s?|maravilha|incri(?:vel|veis)|sensacional|fantastic[oa]
  espetacular|impecavel|atencios[oa]s?|prestativ[oa]s?|competentes?|educad[oa]s?|gentil|gentis|simpatic[oa]s?
  eficientes?|satisfeit[oa]s?|${very} (?:bo[am]|bons|boas|bem|rapid[oa]s?|agil|profissional|querid[oa]s?)`)

const forGiven = `(?: muito)?(?: (?:(?:[oa]s?|pel[oa]s?|su?a|seu|tod[oa]) )+${given})?`

const thanks = oneOf(`
  obrigad[oa]s?|obrigadao|obrigadinh[oa]|obg|obgd[oa]?|brigad[oa]|brigadao|brigadinh[oa]
  (?:eu|nos|a gente) que agradec(?:o|emos|e)|agradec(?:o|emos)${forGiven}|agradecid[oa]s?
  (?:quero|queria|queremos|gostaria de|so) (?:(?:te|lhe|lhes) )?(?:agradecer|parabenizar|elogiar)${forGiven}
  grat[oa]s?|gratidao|valeu+|vlw+|tmj|tamo junto|amem|parabens|de nada|por nada|imagina|disponha|as ordens
  (?:que )?deus (?:(?:te|lhe|os|as) )?(?:abencoe|ilumine|proteja|pague)|(?:fiquem?|vai|vao) com deus
  (?:dou )?nota (?:10 10|10|dez|mil|maxima)`)
const leave = oneOf(`
  tchau+|tchauzinho|xau|bye|falou|flw|bjs?|bjos?|k{2,}|(?:ha|he|rs){2,}h?
  (?:(?:um|uma|grande|forte) )*(?:abracos?|abracao|beijos?|beijao|beijinhos?)
  ate (?:mais tarde|mais|logo|breve|amanha|a proxima|outra hora|outro dia)|ate
  (?:(?:tenham?|desejo|um|uma) )*${fine} (?:(?:resto|restante|final|fim|inicio) de )?${oneOf(`
    noite|descanso|semana|fim de semana|final de semana|fds|trabalho|feriado|feriadao|domingo|sabado
    ano novo|festas|natal|pascoa`)}
  (?:tenham?|desejo|um|uma) (?:(?:um|uma) )?${fine} (?:dia|tarde)
  (?:otim[oa]|excelente|lind[oa]|abencoad[oa]) (?:dia|tarde)|bo[am] (?:resto|restante) de (?:dia|tarde)
  (?:(?:para|pra|a) )?${you} (?:tambem|tbm|tb)|igualmente|tudo de bom`)
/** What is praised is not asked for. */
const praised = oneOf(`
  (?:${praise}|bom|super|rapido) (?:(?:o|esse|seu) )?${service}
  (?:(?:o|seu) )*${service} (?:(?:de ${you}|d[aeo] @|e|foi|${very}|sempre) )*(?:${praise}|top|rapido|bom)
  (?:adorei|adoramos|amei|amamos|gostei|gostamos|recomendo) (?:(?:muito|demais|do|de|o|a|seu) )*${service}`)
/** These may also be the answer to a question: 'fica para as 15h?' · 'perfeito'. */
const acknowledging = oneOf(`
  ok+|okay|okey|oki|ta|certo|certinho|certissimo|beleza|belezinha|blz+|show de bola|show|top+|legal|bacana
  joia|combinado|entendi|entendido|tranquil[oa]|boa|uau|que (?:bom|otimo|legal|maravilha)|muito massa
  (?:ta|esta) (?:bom|bem|otimo|certo|ok)|tudo (?:certo|ok|otimo|resolvido|perfeito)|deu (?:tudo )?certo
  (?:ja )?(?:resolvid[oa]|resolveu|resolveram|resolvi|consegui|conseguimos)
  (?:(?:me|nos) )?(?:ajudou|ajudaram|salvou|salvaram)|(?:(?:me|nos) )?atend(?:eu|eram) (?:${very} )?bem
  adorei|adoramos|amei|amamos|gostei|gostamos|recomendo|${praise}`)
const greeting = 'bom dia|boa tarde'
/** Only beside the others. A name stands as @. */
const joining = oneOf(`
  (?:por|pel[oa]s?) (?:(?:tod[oa]s?|tudo|[oa]s?|su?as?|seus?|${fine}) )*${given}
  por tudo|por (?:(?:me|nos) )?(?:ajudar|atender|responder|avisar)
  (?:(?:a|ao|aos|o) )?(?:(?:dona|seu) )?@
  (?:(?:a|ao|aos|para|pra|de) )?(?:(?:tod[oa]s?|[oa]s?) )*(?:${you}|tod[oa]s|equipe|pessoal|time|turma)
  (?:(?:minha|meu) )?(?:querid|amig|lind)[oa]s?|(?:meu )?(?:amor|anjo)|senhora?|sra?|moc[oa]|gente
  mais uma vez|novamente|de coracao|(?:era |e |por enquanto e )?so isso(?: mesmo)?|como sempre
  na hora|sem duvida|em ordem
  ${very}|muit[oa]s|demais|sempre|sao|e|foi|foram|mesmo|viu|hein|entao|ah+|oh+|nossa|eba|bom|abs|k|rs+|haha?`)

const whole = (pattern: string) => new RegExp(`(?<=^| )(?:${pattern})(?= |$)`, 'g')
/** What is found leaves its sign, in this order: of 'até amanhã' no 'amanhã' may be left over. */
const steps: readonly [string, RegExp][] = [
  ['+', whole(praised)],
  ['+', whole(leave)],
  ['+', whole(thanks)],
  ['', whole(greeting)],
  ['=', whole(acknowledging)],
]
const markSayings = (words: string): string =>
  steps.reduce((marked, [sign, pattern]) => marked.replaceAll(pattern, sign), words)
const joined = whole(joining)

/** Faces that are not pleased, and hands that refuse or point at something. */
const displeased = /[😏-😖😞-😶🙁🙄😬☹🤬🥺👎💔🙅🙋🖐✋☝👆-👉🖕]/u
const assenting = /[👍👌🤙🤝👊✅✔]/u
const longest = 300

/** 'thanks' thank, praise or take leave; an 'acknowledgement' may also answer what was asked. */
export type Polite = 'thanks' | 'acknowledgement'

/**
 * What a message is of which every word thanks, praises, takes leave or acknowledges, or which is emoji
 * alone; undefined: it says something else, or may do so, and needs an answer. 'Sim' and 'não' do.
 * @param names of operators. One that is a thing, too, must follow thanks: 'obrigado, Rosa'.
 */
export function politeOf(text: string, names: readonly string[] = []): Polite | undefined {
  const words = politeWords(text)
  if (words === '') return assenting.test(text) ? 'acknowledgement' : 'thanks'
  if (words === undefined) return undefined
  const first = firstNames(names)
  const plain = first.filter((name) => !isThing(name)).join('|')
  const things = first.filter(isThing).join('|')
  let marked = withFirstNames(words, names)
  if (plain) marked = marked.replaceAll(whole(plain), '@')
  marked = markSayings(marked)
  if (things) marked = marked.replaceAll(new RegExp(`[+] (?:(?:a|dona) )?(?:${things})(?= |$)`, 'g'), '+ @')
  const left = marked.replaceAll(joined, '')
  if (!/[+=]/.test(left) || /[^+= ]/.test(left)) return undefined
  return left.includes('=') ? 'acknowledgement' : 'thanks'
}

/** Whether `politeOf` may find something, whoever the operators are: they are looked up for few. */
export function mayBePolite(text: string): boolean {
  const words = politeWords(text)
  return words !== undefined && (words === '' || /[+=]/.test(markSayings(words)))
}

/** Its words in a row; '' of emoji alone; undefined where it cannot be polite. */
function politeWords(text: string): string | undefined {
  if (text.length > longest || asks(text) || displeased.test(text)) return undefined
  const words = wordsIn(withoutStars(text))
  if (words.length === 0) return /\p{Extended_Pictographic}/u.test(text) ? '' : undefined
  return words.every((word) => /^[\p{L}\d]+$/u.test(word)) ? words.join(' ') : undefined
}
