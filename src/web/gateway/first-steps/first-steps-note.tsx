import { useQuery } from '@tanstack/react-query'
import { ArrowRight, ListChecks } from 'lucide-react'
import { Link } from 'wouter'
import { doneCount, firstStepsQuery, stepOrder } from './queries.ts'

/** In the settings: the way back to the first steps, until all are done. */
export function FirstStepsNote() {
  const { data: steps } = useQuery(firstStepsQuery())
  if (!steps) return null
  return (
    <div className="mt-4 rounded-card border border-accent-line bg-accent-soft">
      <Link
        href="/primeiros-passos"
        className="flex items-center gap-2 px-4 py-2.5 text-sm font-medium text-accent-text"
      >
        <ListChecks size={16} aria-hidden className="flex-none" />
        <span className="min-w-0 flex-1">
          Primeiros passos: {doneCount(steps)} de {stepOrder.length} prontos
        </span>
        <ArrowRight size={16} aria-hidden className="flex-none" />
      </Link>
    </div>
  )
}
