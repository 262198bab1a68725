import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPhone } from '#shared/text/phone.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { CodeView } from './code-view.tsx'
import { ClosedView } from './closed-view.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { OpenView } from './open-view.tsx'
import { isDeclined } from '#web/platform/api/api.ts'
import { linkQuery, useLinkActs } from './queries.ts'

/** How one number is linked to its phone, live, with everything that can be done about it. */
export function NumberCard({ id }: { id: number }) {
  const query = useQuery(linkQuery(id))
  const acts = useLinkActs(id)
  // Here, so that the question stays when the number loses its connection for a moment.
  const [isLeaving, setIsLeaving] = useState(false)
  const link = query.data
  const tell = (title: string) => ({
    onError: (error: Error) => {
      if (!isDeclined(error)) toast({ tone: 'error', title, description: error.message })
    },
  })
  const connect = (number?: string) => acts.connect.mutate(number, tell('Não foi possível gerar o código'))
  const cancel = () => acts.logOut.mutate(undefined, tell('Não foi possível cancelar'))
  const leave = () =>
    acts.logOut.mutate(undefined, {
      ...tell('Não foi possível sair do WhatsApp'),
      onSuccess: () => setIsLeaving(false),
    })
  const restart = () =>
    acts.restart.mutate(undefined, {
      ...tell('Não foi possível reconectar'),
      onSuccess: () => toast({ title: 'Reconectando', description: 'O número volta em alguns segundos.' }),
    })

  if (!link)
    return (
      <Card className="w-full">
        {query.isError ? (
          <ErrorState
            description={query.error.message}
            isRetrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <div role="status" aria-busy="true" aria-label="Carregando" className="p-4">
            <Skeleton className="h-[130px] w-full md:h-28 rounded-control" />
          </div>
        )}
      </Card>
    )
  const isStarting = acts.connect.isPending || (link.isLinking && link.state === 'connecting' && !link.reason)
  return (
    <Card className="w-full">
      {link.code ? (
        <CodeView link={link} code={link.code} acts={acts} onPair={connect} onCancel={cancel} />
      ) : link.state === 'open' && link.isActive ? (
        <OpenView
          link={link}
          isRestarting={acts.restart.isPending}
          onRestart={restart}
          onLeave={() => setIsLeaving(true)}
        />
      ) : isStarting ? (
        <div className="grid justify-items-center gap-3 px-4 py-10 text-center">
          <Spinner size={20} className="text-ink-3" />
          <p role="status" className="text-sm text-ink-2">
            A Evolution API está preparando o código…
          </p>
          {!acts.connect.isPending && (
            <Button size="sm" variant="ghost" isBusy={acts.logOut.isPending} onClick={cancel}>
              Cancelar
            </Button>
          )}
        </div>
      ) : (
        <ClosedView
          link={link}
          acts={acts}
          onConnect={connect}
          onRestart={restart}
          onLook={() => void query.refetch()}
          isLooking={query.isFetching}
        />
      )}
      <LeaveDialog
        isOpen={isLeaving}
        number={link.number ? formatPhone(link.number) : link.instanceName}
        isBusy={acts.logOut.isPending}
        onLeave={leave}
        onClose={() => setIsLeaving(false)}
      />
    </Card>
  )
}
