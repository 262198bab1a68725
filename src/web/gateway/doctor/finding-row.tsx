import { CircleAlert, CircleCheck, CircleMinus, TriangleAlert, Wrench } from 'lucide-react'
import type { Finding } from '#shared/doctor/doctor.ts'
import { checkTitles } from '#shared/text/doctor/check-titles.ts'
import { cn } from '#web/ui/cn.ts'

/** A mark is never the only difference: each state has its word, too, unless it is what is expected. */
const looks = {
  ok: { icon: CircleCheck, look: 'text-green-text', word: 'Certo:' },
  mended: { icon: Wrench, look: 'text-green-text', word: 'Corrigido' },
  skipped: { icon: CircleMinus, look: 'text-ink-3', word: 'Não conferido' },
  warning: { icon: TriangleAlert, look: 'text-amber-text', word: 'Atenção' },
  fault: { icon: CircleAlert, look: 'text-red-text', word: 'Problema' },
} as const

/** What was found, and what to do about it. */
export function FindingRow({ finding: { check, state, text } }: { finding: Finding }) {
  const { icon: Icon, look, word } = looks[state]
  return (
    <li className="flex items-start gap-2.5 text-sm">
      <Icon size={16} aria-hidden className={cn('mt-px flex-none', look)} />
      <div className="min-w-0">
        <p>
          {state === 'ok' && <span className="sr-only">{word}</span>} {checkTitles[check]}
          {state !== 'ok' && <span className={cn('ml-1.5 text-xs font-medium', look)}>{word}</span>}
        </p>
        <p
          className={[
            'text-pretty wrap-anywhere tabular-nums',
            state === 'fault' || state === 'warning' ? 'text-ink' : 'text-ink-2',
          ].join(' ')}
        >
          {text}
        </p>
      </div>
    </li>
  )
}
