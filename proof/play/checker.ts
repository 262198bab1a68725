import { closedForSilence, closedWithoutReason, forgottenOpen } from './check-ends.ts'
import { asItWasWritten, answeredLate, servedOrWaiting, takenInTurn } from './check-people.ts'
import { backwards, lostOrStrange, repeated, untruePlaces } from './check-texts.ts'
import type { Observed } from './observed.ts'

/** What must hold of a day, in the words in which it is reported; each names what breaks it. */
export const invariants = {
  'nenhum texto automático repetido': repeated,
  'cada texto chegou uma vez ao seu celular, em ordem': lostOrStrange,
  'nenhuma posição andou para trás nem foi dita duas vezes num minuto': backwards,
  'toda posição dita era a verdadeira': untruePlaces,
  'cada mensagem de cliente está guardada uma vez, em ordem': asItWasWritten,
  'o que chegou atrasado não teve resposta automática': answeredLate,
  'ninguém foi encerrado por silêncio sem estar em silêncio': closedForSilence,
  'nada foi encerrado sem motivo': closedWithoutReason,
  'nenhum silêncio ficou aberto': forgottenOpen,
  'cada cliente foi atendido ou está esperando': servedOrWaiting,
  'quem esperava há mais tempo foi assumido primeiro': takenInTurn,
} as const satisfies Record<string, (day: Observed) => string[]>
export type Invariant = keyof typeof invariants

/** Holds a day against every invariant. @returns of each what breaks it */
export function judgeDay(day: Observed): Map<Invariant, string[]> {
  return new Map((Object.keys(invariants) as Invariant[]).map((name) => [name, invariants[name](day)]))
}
