import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** A note beside a setting. */
export function InfoBox({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <div
      className={[
        'flex w-full items-start gap-2 rounded-card border',
        'border-blue-line bg-blue-soft px-3 py-2.5 text-sm text-blue-text',
      ].join(' ')}
    >
      <Icon size={16} aria-hidden className="mt-px shrink-0" />
      <div className="min-w-0 text-pretty [overflow-wrap:anywhere]">{children}</div>
    </div>
  )
}
