import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import {
  createSector,
  deleteSector,
  type ManagedSectors,
  orderSectors,
  type SectorChange,
  updateSector,
} from '#shared/sectors/managed-sectors.ts'
import { call, reasonOf } from '#web/platform/api/api.ts'
import { sectorKeys } from '#web/sectors/sectors.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { managedSectorsQuery } from './queries.ts'

type NewSector = z.input<NonNullable<typeof createSector.body>>

/** Also after a refusal: a colleague may have changed something. */
const refetch = (client: QueryClient) => client.invalidateQueries({ queryKey: sectorKeys.all })

export function useCreateSector() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewSector) => call(createSector, { body }),
    // The new one is shown at once: it is fetched before the dialog closes.
    onSuccess: () => refetch(client),
  })
}

export function useSaveSector(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SectorChange) => call(updateSector, { params: { id }, body }),
    onSettled: () => void refetch(client),
  })
}

export function useDeleteSector() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, targetId }: { id: number; targetId: number | 'none' | undefined }) =>
      call(deleteSector, { params: { id }, query: targetId === undefined ? {} : { targetId } }),
    onSettled: () => void refetch(client),
  })
}

/** Shows another order at once, and stores it. Orders are sent one after another. */
export function useOrderSectors() {
  const client = useQueryClient()
  const { queryKey } = managedSectorsQuery()
  return useMutation({
    scope: { id: 'sector-order' },
    mutationFn: (ids: number[]) => call(orderSectors, { body: { ids } }),
    onMutate: (ids) => {
      void client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (known) => known && inOrder(known, ids))
    },
    onError: (error) => toast({ tone: 'error', title: `A ordem não foi salva: ${reasonOf(error)}` }),
    onSettled: () => void refetch(client),
  })
}

const inOrder = (known: ManagedSectors, ids: readonly number[]): ManagedSectors => ({
  ...known,
  sectors: known.sectors.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
})
