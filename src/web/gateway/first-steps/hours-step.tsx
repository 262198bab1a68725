import { Clock, MessageSquareText } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '#web/ui/buttons/button.tsx'
import { useSkipStep } from './queries.ts'
import { StepRow } from './step-row.tsx'

/** Leads to the hours and the texts, which apply as they are until somebody changes them. */
export function HoursStep({
  isDone,
  isSkipped,
  isNext,
}: {
  isDone: boolean
  isSkipped: boolean
  isNext: boolean
}) {
  const skip = useSkipStep()
  return (
    <StepRow
      number={5}
      title="Horário e mensagens"
      note={
        isDone
          ? 'O horário ou os textos já são os da empresa'
          : isSkipped
            ? 'Valem os que vieram prontos'
            : 'Quando a empresa atende, e o que os clientes leem sem que ninguém escreva'
      }
      isDone={isDone}
      isNext={isNext}
    >
      {isNext && (
        <div className="flex flex-wrap gap-2">
          <Button asChild variant="primary">
            <Link href="/settings-advanced?aba=horario">
              <Clock size={16} aria-hidden className="-ml-[3px]" />
              Definir o horário
            </Link>
          </Button>
          <Button asChild>
            <Link href="/settings-advanced?aba=mensagens">
              <MessageSquareText size={16} aria-hidden className="-ml-[3px]" />
              Ver as mensagens
            </Link>
          </Button>
          <Button variant="ghost" isBusy={skip.isPending} onClick={() => skip.mutate('hours')}>
            Pular este passo
          </Button>
        </div>
      )}
    </StepRow>
  )
}
