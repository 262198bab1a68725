import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { openerOf } from '#web/ui/overlays/return-focus.ts'
import { toast } from '#web/ui/states/toast.ts'

/**
 * Loads something once, when it is first needed. A failure is shown as a toast, and the next attempt tries
 * again.
 */
export function fetchedOnDemand<Part>(load: () => Promise<Part>) {
  let fetched: { part: Part } | undefined
  /** @param onFailed cancels what needed it */
  return function useFetched(isWanted: boolean, onFailed: () => void): Part | undefined {
    const [has, setHas] = useState(() => fetched)
    const fail = useEffectEvent(onFailed)
    useEffect(() => {
      if (!isWanted || has) return
      let isGone = false
      // A menu and its item are removed before the loaded element can take the focus.
      const opener = openerOf(document.activeElement)
      load().then(
        (part) => {
          fetched = { part }
          if (isGone) return
          if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
          setHas(fetched)
        },
        () => {
          if (isGone) return
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

/** A dialog whose code is loaded when it is first opened. */
export function onDemand<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const useFetched = fetchedOnDemand(load)
  return function OnDemand(props: Props) {
    const Part = useFetched(true, props.onClose)
    return Part ? <Part {...props} /> : null
  }
}
