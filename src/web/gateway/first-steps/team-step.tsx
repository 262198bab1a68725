import { UserPlus } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '#web/ui/buttons/button.tsx'
import { useSkipStep } from './queries.ts'
import { StepRow } from './step-row.tsx'

/** Leads to the accounts: the first steps end with a second person, or without. */
export function TeamStep({
  isDone,
  isSkipped,
  isNext,
}: {
  isDone: boolean
  isSkipped: boolean
  isNext: boolean
}) {
  const skip = useSkipStep()
  const invite = (
    <Button asChild variant={isNext ? 'primary' : 'outline'}>
      <Link href="/users">
        <UserPlus size={16} aria-hidden className="-ml-[3px]" />
        Convidar
      </Link>
    </Button>
  )
  return (
    <StepRow
      number={4}
      title="Convidar a equipe"
      note={
        isDone
          ? 'Já há mais de uma pessoa'
          : isSkipped
            ? 'Deixado para depois'
            : 'Um link para cada pessoa que atende, com que ela cria a própria conta'
      }
      isDone={isDone}
      isNext={isNext}
      action={!isDone && !isNext && invite}
    >
      {isNext && (
        <div className="flex flex-wrap gap-2">
          {invite}
          <Button variant="ghost" isBusy={skip.isPending} onClick={() => skip.mutate('team')}>
            Pular este passo
          </Button>
        </div>
      )}
    </StepRow>
  )
}
