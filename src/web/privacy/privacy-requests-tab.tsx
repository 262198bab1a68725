import { useQuery } from '@tanstack/react-query'
import { Download, Eraser, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { PrivacyProof, PrivacyRequest } from '#shared/maintenance/privacy.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { RowsSkeleton } from '#web/ui/states/rows-skeleton.tsx'
import { privacyRequestsPage } from './queries.ts'

const pageSize = 20

/** The register of what persons have asked for by the LGPD. */
export function PrivacyRequestsTab() {
  const [page, setPage] = useState(1)
  const { data, error, isFetching, refetch } = useQuery(privacyRequestsPage(page, pageSize))
  if (!data)
    return error ? (
      <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
    ) : (
      <RowsSkeleton height="h-14" />
    )
  const { requests, pagination } = data
  return (
    <div className="grid gap-3">
      <Card
        title="Pedidos de titulares (LGPD)"
        note={<span className="tabular-nums">{pagination.total}</span>}
      >
        {requests.length === 0 ? (
          <EmptyState
            icon={ShieldCheck}
            title="Nenhum pedido atendido ainda"
            description="Exporte ou anonimize os dados de uma pessoa na página do contato, em “Mais ações”."
          />
        ) : (
          <ul aria-label="Pedidos de titulares">
            {requests.map((request) => (
              <RequestRow key={request.id} request={request} />
            ))}
          </ul>
        )}
      </Card>
      <Pager page={page} totalPages={pagination.totalPages} onPage={setPage} />
    </div>
  )
}

function RequestRow({ request }: { request: PrivacyRequest }) {
  const { kind, contactId, contactName, isContactShown, userName, createdAt, proof } = request
  const Icon = kind === 'export' ? Download : Eraser
  return (
    <li className="flex min-h-14 items-start gap-3 border-t border-line px-4 py-2.5 first:border-t-0">
      <Icon size={18} aria-hidden className="mt-0.5 flex-none text-ink-2" />
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere]">
          {kind === 'export' ? 'Dados exportados' : 'Contato anonimizado'}:{' '}
          {isContactShown ? (
            <Link href={`/contacts/${contactId}`} className="font-medium text-accent-text hover:underline">
              <bdi>{kind === 'export' ? contactName : `nº\u00a0${contactId}`}</bdi>
            </Link>
          ) : (
            <bdi className="font-medium">{kind === 'export' ? contactName : `nº\u00a0${contactId}`}</bdi>
          )}
        </p>
        <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
          por <bdi>{userName}</bdi>, {proofText(proof)}
        </p>
      </div>
      <time dateTime={createdAt} className="flex-none text-sm whitespace-nowrap text-ink-2 tabular-nums">
        {dateTime(createdAt)}
      </time>
    </li>
  )
}

const counted = [
  ['conversations', 'conversa', 'conversas'],
  ['messages', 'mensagem', 'mensagens'],
  ['files', 'arquivo', 'arquivos'],
] as const

/** '2 conversas, 31 mensagens, 4 arquivos' */
function proofText(proof: PrivacyProof): string {
  return counted
    .map(([table, one, many]) => {
      const count = proof[table] ?? 0
      return `${count.toLocaleString('pt-BR')}\u00a0${count === 1 ? one : many}`
    })
    .join(', ')
}
