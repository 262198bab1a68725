import { CircleAlert, CircleCheck, Sparkles } from 'lucide-react'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import type { Tested } from './config-queries.ts'

function took(ms: number): string {
  if (ms < 1000) return `em ${ms} ms`
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  return `em ${(ms / 1000).toLocaleString('pt-BR', digits)} s`
}

/** The result of a test, shown until the next one. */
export function TestOutcome({ result, error }: { result: Tested | undefined; error: Error | null }) {
  if (!result && !error) return null
  if (!result?.success)
    return (
      <div role="alert" className="flex gap-2 text-sm text-red-text">
        <CircleAlert size={16} aria-hidden className="mt-px shrink-0" />
        <p className="min-w-0 wrap-anywhere">{result?.message ?? error?.message}</p>
      </div>
    )
  return (
    <div role="status" className="grid gap-2 text-sm">
      <p className="flex gap-2">
        <CircleCheck size={16} aria-hidden className="mt-px shrink-0 text-green" />
        <span className="min-w-0 wrap-anywhere">
          {result.message} <span className="text-ink-3">{took(result.tookMs)}</span>
        </span>
      </p>
      {result.answer !== '' && (
        <div className="flex gap-2 rounded-card bg-accent-soft px-3 py-2">
          <Sparkles size={14} aria-hidden className="mt-1 shrink-0 text-accent-text" />
          <div className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
            <RichText text={result.answer} />
          </div>
        </div>
      )}
    </div>
  )
}
