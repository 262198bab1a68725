import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SimulatorState } from '#simulator/control-views.ts'
import { Banner } from '#web/ui/states/banner.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { GatewayLog } from './log/gateway-log.tsx'
import { simulatorQueries } from './data/queries.ts'
import { useShownPhones } from './shown-phones.ts'
import { SideDrawer } from './side/side-drawer.tsx'
import { SidePanel } from './side/side-panel.tsx'
import { Stage } from './stage.tsx'
import { TopBar } from './top-bar.tsx'
import { useIsNarrow } from './use-width.ts'
import { useLive } from './data/use-live.ts'

/** The page on which one person plays all the clients. */
export function SimulatorPage() {
  const status = useLive()
  const { data: state, error, isFetching, refetch } = useQuery(simulatorQueries.state())
  return (
    <div className="flex h-dvh flex-col">
      {state ? (
        <Ready state={state} isLost={status === 'lost'} />
      ) : (
        <>
          <TopBar />
          <main className="grid flex-1 place-items-center">
            {error ? (
              <ErrorState
                description="O simulador não respondeu. Ele só existe no modo de demonstração."
                isRetrying={isFetching}
                onRetry={() => void refetch()}
              />
            ) : (
              <Spinner size={20} label="Carregando os celulares" className="text-ink-3" />
            )}
          </main>
        </>
      )}
    </div>
  )
}

function Ready({ state, isLost }: { state: SimulatorState; isLost: boolean }) {
  const isNarrow = useIsNarrow()
  const shownPhones = useShownPhones(state.phones)
  const [open, setOpen] = useState<'side' | 'log'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <TopBar
        {...(!isLost && { gateway: state.gateway })}
        now={state.now}
        {...(isNarrow && { onOpenSide: () => setOpen('side'), onOpenLog: () => setOpen('log') })}
      />
      {isLost && <Banner icon={<Spinner size={14} />}>Reconectando ao simulador…</Banner>}
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] md:grid-cols-[268px_minmax(0,1fr)]">
        {!isNarrow && (
          <aside
            aria-label="Celulares e falhas"
            className="flex min-h-0 flex-col border-r border-line bg-side"
          >
            <SidePanel state={state} shownPhones={shownPhones} />
          </aside>
        )}
        <main className="grid min-h-0 min-w-0 grid-cols-1 grid-rows-1 md:grid-rows-[minmax(0,1fr)_152px]">
          <Stage state={state} shownPhones={shownPhones} isNarrow={isNarrow} />
          {!isNarrow && <GatewayLog counters={state.counters} />}
        </main>
      </div>
      {isNarrow && (
        <>
          <SideDrawer isOpen={open === 'side'} onClose={close}>
            <SidePanel state={state} shownPhones={shownPhones} onChosen={close} />
          </SideDrawer>
          <Dialog isOpen={open === 'log'} onClose={close} title="Registro do gateway">
            <div className="-mx-5 h-[70dvh]">
              <GatewayLog counters={state.counters} isInDialog />
            </div>
          </Dialog>
        </>
      )}
    </>
  )
}
