import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { openerOf } from '#web/ui/overlays/return-focus.ts'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { toast } from '#web/ui/states/toast.ts'

/** What has not been loaded yet. */
const waiting = new Set<() => Promise<unknown>>()

/** Has `fetchAhead` load a part that would otherwise be loaded when it is first needed. */
export function loadedAhead<Part>(load: () => Promise<Part>): () => Promise<Part> {
  waiting.add(load)
  return load
}

const aheadAfterMs = 5000
const againAfterMs = 30_000

/**
 * Loads everything that is loaded on demand, one part after the other, once the page has been shown for some
 * seconds and whenever the browser has nothing else to do: with the server away it can then be opened all the
 * same. After a failure it waits half a minute and goes on with the others; what failed comes last.
 * @returns ends it
 */
export function fetchAhead(): () => void {
  let isOver = false
  const goOn = () => whenIdle(() => void next())
  const next = async (): Promise<void> => {
    const [load] = waiting
    if (isOver || !load) return
    waiting.delete(load)
    // Those that it contains are added as it is loaded.
    const isLoaded = await load().then(
      () => true,
      () => false,
    )
    if (isLoaded) return goOn()
    waiting.add(load)
    setTimeout(goOn, againAfterMs)
  }
  setTimeout(goOn, aheadAfterMs)
  return () => {
    isOver = true
  }
}

/** Safari has no idle callbacks. */
function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act)
  else setTimeout(act, 200)
}

/**
 * Loads something once, when it is first needed. A failure is shown as a toast, and the next attempt tries
 * again.
 * @param isBeside whether a text that has the focus keeps it
 */
export function fetchedOnDemand<Part>(loadPart: () => Promise<Part>, isBeside = false) {
  let fetched: { part: Part } | undefined
  const load = loadedAhead(async () => {
    fetched = { part: await loadPart() }
    return fetched
  })
  /** @param onFailed cancels what needed it */
  return function useFetched(isWanted: boolean, onFailed: () => void): Part | undefined {
    const [has, setHas] = useState(() => fetched)
    const fail = useEffectEvent(onFailed)
    useEffect(() => {
      if (!isWanted || has) return
      let isGone = false
      // A menu and its item are removed before the loaded element can take the focus.
      const opener = openerOf(document.activeElement)
      const goBack = () => {
        if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
      }
      // What is typed on is meant for what is asked for, and must not be sent from a reply behind it.
      if (!isBeside && opener instanceof HTMLTextAreaElement) opener.blur()
      load().then(
        (loaded) => {
          if (isGone) return
          goBack()
          setHas(loaded)
        },
        () => {
          if (isGone) return
          goBack()
          toast({
            tone: 'error',
            title: 'Não foi possível abrir',
            description: 'Verifique a conexão e tente de novo.',
          })
          fail()
        },
      )
      return () => {
        isGone = true
      }
    }, [isWanted, has])
    return has?.part
  }
}

const silentMs = 300

/** Says that something is being opened, if that takes a while, as where the server is slow or away. */
function Opening() {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), silentMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  return (
    <span className="pointer-events-none fixed inset-0 z-50 grid place-items-center">
      <span className="grid rounded-card border border-line bg-surface p-3 text-ink-2">
        <Spinner size={20} label="Abrindo..." />
      </span>
    </span>
  )
}

/**
 * A dialog whose code is loaded when it is first opened.
 * @param isBeside whether it is none, and a text that has the focus keeps it
 */
export function onDemand<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
  isBeside?: boolean,
): ComponentType<Props> {
  const useFetched = fetchedOnDemand(load, isBeside)
  return function OnDemand(props: Props) {
    const Part = useFetched(true, props.onClose)
    return Part ? <Part {...props} /> : <Opening />
  }
}
