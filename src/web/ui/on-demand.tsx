import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { openerOf } from './return-focus.ts'
import { toast } from './toast.ts'

/**
 * Something that is fetched once, when it is first wanted. Where it cannot be fetched the person is told, and wanting it
 * again tries again.
 */
export function fetchedOnDemand<Part>(load: () => Promise<Part>) {
  let fetched: { part: Part } | undefined
  /** @param onFailed ends the wanting */
  return function useFetched(isWanted: boolean, onFailed: () => void): Part | undefined {
    const [has, setHas] = useState(() => fetched)
    const fail = useEffectEvent(onFailed)
    useEffect(() => {
      if (!isWanted || has) return
      let isGone = false
      // A menu that it was chosen from is gone with its item before there is anything to take the focus.
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

/** A dialog whose code is fetched when somebody first opens it. */
export function onDemand<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const useFetched = fetchedOnDemand(load)
  return function OnDemand(props: Props) {
    const Part = useFetched(true, props.onClose)
    return Part ? <Part {...props} /> : null
  }
}
