import { useSearchParams } from 'wouter'
import type { PhoneView } from '#simulator/control-views.ts'
import { useFitting } from './use-width.ts'

/** Which phones are shown, at first as many as fit, and which one on small screens; kept in the URL. */
export function useShownPhones(phones: PhoneView[]) {
  const [search, setSearch] = useSearchParams()
  const fitting = useFitting()
  const named = search.get('celulares')
  const ids = new Set(named === null ? phones.slice(0, fitting).map(({ id }) => id) : named.split(','))
  const shown = phones.filter(({ id }) => ids.has(id))
  const front = phones.find(({ id }) => id === search.get('aberto')) ?? shown[0] ?? phones[0]

  const set = (values: Record<string, string>) =>
    setSearch(
      (before) => {
        for (const [name, value] of Object.entries(values)) before.set(name, value)
        return before
      },
      { replace: true },
    )
  const showing = (id: string) => [...shown.map((phone) => phone.id).filter((other) => other !== id), id]

  return {
    shown,
    front,
    show: (id: string) => set({ celulares: showing(id).join(',') }),
    hide: (id: string) =>
      set({
        celulares: showing(id)
          .filter((other) => other !== id)
          .join(','),
      }),
    /** Shown on small screens, and added to those of large ones. */
    bringToFront: (id: string) => set({ celulares: showing(id).join(','), aberto: id }),
  }
}
export type ShownPhones = ReturnType<typeof useShownPhones>
