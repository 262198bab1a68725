import { WifiOff } from 'lucide-react'
import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react'
import { liveStatus, onLiveStatus } from '#web/platform/live/live.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { loadedAhead } from '#web/ui/on-demand.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { reloadIfReachable } from './reload.ts'

// Parts of a screen whose code is loaded when they are shown, and that wait for the network if it is away.
// What somebody asks for, such as a dialog, is `onDemand`, which gives up instead.

const againAfterMs = 5000

/** What browsers say of a module that could not be fetched, unlike one that has failed in itself. */
const isAway = (error: unknown) => error instanceof TypeError && /module|import/i.test(error.message)

interface Outcome<Part> {
  onLoaded: (part: Part) => void
  /** After each attempt that the network has failed. */
  onAway: () => void
  onBroken: (error: unknown) => void
}

/**
 * Loads until it succeeds: every five seconds, and as soon as the network or the live link is back.
 * @returns ends it
 */
function untilLoaded<Part>(load: () => Promise<Part>, outcome: Outcome<Part>): () => void {
  let isOver = false
  let isTrying = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const attempt = () => {
    if (isOver || isTrying) return
    clearTimeout(timer)
    isTrying = true
    load()
      .then(
        (part) => !isOver && outcome.onLoaded(part),
        (error: unknown) => {
          if (isOver) return
          if (!isAway(error)) return outcome.onBroken(error)
          outcome.onAway()
          timer = setTimeout(attempt, againAfterMs)
        },
      )
      .finally(() => (isTrying = false))
  }
  const stopLive = onLiveStatus(() => liveStatus() === 'open' && attempt())
  window.addEventListener('online', attempt)
  attempt()
  return () => {
    isOver = true
    clearTimeout(timer)
    stopLive()
    window.removeEventListener('online', attempt)
  }
}

interface Waiting<Part> {
  part?: Part
  isAway?: boolean
  error?: { cause: unknown }
}

/** @returns a hook: the part, or that it waits for the network. It throws what the part itself throws. */
function waitingFor<Part>(loadPart: () => Promise<Part>) {
  let fetched: { part: Part } | undefined
  const load = async () => (fetched = { part: await loadPart() })
  function useWaiting(isWanted: boolean) {
    const [waiting, setState] = useState<Waiting<Part>>({})
    // Loaded ahead since: it is there at once, or what is typed meanwhile goes into what it replaces.
    const state: Waiting<Part> = fetched ?? waiting
    const has = 'part' in state
    useEffect(() => {
      if (!isWanted || has) return
      return untilLoaded(load, {
        onLoaded: setState,
        onAway: () => setState({ isAway: true }),
        onBroken: (cause) => setState({ error: { cause } }),
      })
    }, [isWanted, has])
    if (state.error) throw state.error.cause
    // Some browsers keep the failure of a module as long as the page.
    return { ...state, tryNow: () => load().then(setState, reloadIfReachable) }
  }
  return { load, useWaiting }
}

/**
 * A part of a screen, absent until it is loaded: it is also loaded ahead, see `fetchAhead`.
 * @returns a hook: the part, and nothing where it is not wanted, whether it is loaded or not
 */
export function partInPlace<Part>(loadPart: () => Promise<Part>) {
  const { load, useWaiting } = waitingFor(loadPart)
  loadedAhead(load)
  return (isWanted = true): Part | undefined => {
    const { part } = useWaiting(isWanted)
    return isWanted ? part : undefined
  }
}

/**
 * A component whose code is loaded when it is first shown. Not by `lazy`: once Suspense has shown its
 * fallback, React keeps it for at least 300 ms, and what has failed once has failed for good.
 * @param loading until then; a spinner if absent
 */
export function inPlace<Props extends object>(
  loadPart: () => Promise<ComponentType<Props>>,
  loading: ReactNode = <ScreenSpinner />,
): ComponentType<Props> {
  const { useWaiting } = waitingFor(loadPart)
  return function InPlace(props: Props) {
    const { part, isAway: waits, tryNow } = useWaiting(true)
    if (part) return createElement(part, props)
    return waits ? <Away onTry={tryNow} /> : loading
  }
}

export const ScreenSpinner = () => <Spinner size={20} label="Carregando" className="text-ink-3" />

function Away({ onTry }: { onTry: () => Promise<unknown> }) {
  const [isTrying, setIsTrying] = useState(false)
  const tryNow = async () => {
    setIsTrying(true)
    await onTry()
    setIsTrying(false)
  }
  return (
    <EmptyState
      role="alert"
      icon={WifiOff}
      title="Sem conexão"
      description="Esta parte ainda não tinha sido carregada. Ela abre sozinha quando a conexão voltar."
      action={
        <Button isBusy={isTrying} busyLabel="Tentando..." onClick={() => void tryNow()}>
          Tentar novamente
        </Button>
      }
    />
  )
}
