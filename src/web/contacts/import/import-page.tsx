import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { screenRuleOf } from '#shared/acts.ts'
import { Page } from '#web/ui/layout/page.tsx'
import { tooltip } from '#web/ui/overlays/tooltip.ts'

const back = 'Voltar aos contatos'

/** The frame of the screen, wider than others: three steps stand side by side. */
export function ImportPage({
  subtitle = 'Contatos de um arquivo CSV, XLSX ou vCard',
  actions,
  children,
}: {
  subtitle?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <Page
      className="max-w-[1312px]"
      title={
        <span className="flex items-center gap-1.5">
          <Link
            href="/contacts"
            aria-label={back}
            {...tooltip(back)}
            className={[
              'target -ml-2 inline-grid size-8 flex-none place-items-center rounded-control',
              'text-ink-2 hover:bg-hover hover:text-ink',
            ].join(' ')}
          >
            <ArrowLeft size={16} aria-hidden />
          </Link>
          {screenRuleOf('/contacts/import').title}
        </span>
      }
      subtitle={subtitle}
      actions={actions}
    >
      {children}
    </Page>
  )
}
