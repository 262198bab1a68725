import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { Button } from '#web/ui/buttons/button.tsx'
import { FirstStepsPlace, firstStepsHeight } from './first-steps-place.tsx'
import { Progress } from './progress.tsx'
import { firstStepsQuery, leftForLater, nextStep, stepTitles } from './queries.ts'

/**
 * On the dashboard: what is done of the first steps, until all are. While no number was ever connected the
 * dashboard leads there on its own, until somebody leaves them for later.
 */
export function FirstStepsCard() {
  const { data: steps } = useQuery(firstStepsQuery())
  const isLeft = leftForLater.use()
  const [, navigate] = useLocation()
  const mustGo = steps && !steps.number.isDone && !isLeft
  useEffect(() => {
    if (mustGo) navigate('/primeiros-passos', { replace: true })
  }, [mustGo, navigate])
  const place = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (steps !== undefined) firstStepsHeight.set(place.current?.offsetHeight ?? 0)
  }, [steps])
  if (steps === undefined) return <FirstStepsPlace />
  if (!steps || mustGo) return null
  const next = nextStep(steps)
  return (
    <section
      ref={place}
      aria-label="Primeiros passos"
      className="mb-4 grid gap-2.5 rounded-card border border-accent-line bg-accent-soft px-4 py-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-52">
          <h2 className="text-base font-semibold">Primeiros passos</h2>
          {next && <p className="text-sm text-ink-2">Falta: {stepTitles[next].toLowerCase()}</p>}
        </div>
        <Button asChild variant="primary">
          <Link href="/primeiros-passos">
            Continuar <ArrowRight aria-hidden size={16} />
          </Link>
        </Button>
      </div>
      <Progress steps={steps} />
    </section>
  )
}
