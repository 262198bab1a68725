/** What can be wrong at a place of the audit's chain. */
export const faultTexts = {
  missing: 'falta: foi excluído do banco',
  changed: 'não confere com o anterior: ele, ou o anterior, foi alterado no banco',
  doubled: 'está no lugar de outro: foi inserido no banco',
  beyond: 'está além do fim guardado: foi inserido no banco, ou o fim foi alterado',
  'personal changed': 'tem dados pessoais que não são os registrados',
  'personal missing': 'perdeu os dados pessoais sem que o registro conte quem os apagou',
  'personal added': 'tem dados pessoais que não foram registrados',
  head: 'é o último, e não confere com o fim guardado',
  noted: 'não confere com o elo anotado fora do banco',
} as const
export type FaultKind = keyof typeof faultTexts

/** 'O registro 31.904 não confere com o anterior: …' @param to the last place, where several are missing */
export function faultText(kind: FaultKind, position: number, to = position): string {
  const [from, end] = [position, to].map((place) => place.toLocaleString('pt-BR'))
  if (kind === 'missing' && to > position)
    return `Os registros de ${from} a ${end} faltam: foram excluídos do banco`
  return `O registro ${from} ${faultTexts[kind]}`
}

export const isFaultKind = (kind: string): kind is FaultKind => Object.hasOwn(faultTexts, kind)
