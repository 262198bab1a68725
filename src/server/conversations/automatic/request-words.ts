import { fold } from '#shared/text/fold.ts'

// A few words by which a comment after a figure ('1 - quero falar com o gerente') is recognised as a request.
// Praise and complaints have none of them; where one of them meets praise, a conversation opens in doubt.

/** Wishes that are praise. */
const thanks = String.raw`(?:de )?(?:lhes? )?(?:agradecer|parabenizar|elogiar|dar os parabens)`
/** Anywhere in the comment. */
const words = [
  String.raw`(?:quero|queria|queremos|gostaria|gostariamos|preciso|precisamos)\b(?! ${thanks})`,
  String.raw`(?:pode|podem|poderia|poderiam|posso)\b (?:me|nos|enviar|mandar|ligar|passar|ver|falar)`,
  String.raw`me (?:lig|mand|envi|pass|ajud|cham|retorn)(?:a|e|em|ue|uem)`,
  'mande|mandem|envie|enviem|ligue|liguem|por favor|pfv|falar com|tenho uma duvida',
  'segunda via|2[aª]? via|boleto|fatura|orcamento|reembolso|estorno',
  String.raw`reais|\d+ (?:mil|pila|conto)|pix`,
]
/** At its beginning: what somebody asks for or wants to do. */
const beginnings = [
  'quanto|qual|quais|onde|tem como|tem em|tem algum|tem alguma|como faco|como funciona|aguardo',
  String.raw`quando (?:chega|vem|vai|sera|posso|entrega)`,
  'falar|encerrar|cancelar|comprar|agendar|marcar|remarcar|trocar|devolver|contratar|renovar|solicitar',
  'pedir|fazer|saber|pagar',
]
const request = new RegExp(
  String.raw`(?<![\p{L}\d])(?:${words.join('|')})(?![\p{L}\d])|^\P{L}*(?:${beginnings.join('|')})(?![\p{L}\d])`,
  'u',
)
/** 'R$ 500', or a price with its cents. */
const money = /r\$|\d[.,]\d{2}(?!\d)/u

/** Whether a comment asks for something, or speaks of money. Pure. */
export function asksForSomething(comment: string): boolean {
  const plain = fold(comment)
  return request.test(plain) || money.test(plain)
}
