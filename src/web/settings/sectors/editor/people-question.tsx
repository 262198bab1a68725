import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import type { SectorValues } from './sector-values.ts'

type People = SectorValues['people']

/** What other people of a sector mean, where that may not be meant: it is asked before it is saved. */
export interface PeopleQuestion {
  title: string
  lines: readonly string[]
}

const hasLead = (people: People) => people.some(({ isLead }) => isLead)
const isLedBy = (people: People, userId: number) =>
  people.some((person) => person.isLead && person.userId === userId)

/**
 * @param from the people who are stored
 * @param who the person who saves, and whether they may change the sector without leading it
 */
export function questionOf(
  sector: string,
  now: People,
  from: People,
  who: { id: number; mayManage: boolean },
): PeopleQuestion | undefined {
  const isLeaving = isLedBy(from, who.id) && !isLedBy(now, who.id)
  // Who saves something else is not asked about what was so before.
  const isLeftAlone = now.length > 0 && !hasLead(now) && (hasLead(from) || from.length === 0)
  if (!isLeaving && !isLeftAlone) return undefined
  const rest = who.mayManage ? '' : ' e não pode mais mudar este setor'
  return {
    title: isLeftAlone ? `Deixar ${sector} sem responsável?` : `Deixar de responder por ${sector}?`,
    lines: [
      ...(isLeaving ? [`Você deixa de responder por ${sector}${rest}.`] : []),
      ...(isLeftAlone ? ['Quando a fila para, ninguém da equipe é avisado, só quem administra.'] : []),
    ],
  }
}

export function PeopleQuestionDialog({
  question,
  onStay,
  onSave,
}: {
  question: PeopleQuestion
  onStay: () => void
  onSave: () => void
}) {
  return (
    <Dialog
      isOpen
      onClose={onStay}
      title={<span className="wrap-anywhere">{question.title}</span>}
      footer={
        <>
          <Button onClick={onSave}>Salvar assim mesmo</Button>
          <Button variant="primary" onClick={onStay}>
            Continuar editando
          </Button>
        </>
      }
    >
      {question.lines.map((line) => (
        <p key={line} className="text-sm text-pretty wrap-anywhere text-ink-2">
          {line}
        </p>
      ))}
    </Dialog>
  )
}
