import { useState } from 'react'
import { type ManagedSector, sectorPalette } from '#shared/sectors/managed-sectors.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { ApiError, reasonOf } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { useCreateSector } from '#web/settings/sectors/mutations.ts'

export interface Draft {
  name: string
  color: string
  description: string
  people: { userId: number; isLead: boolean }[]
  /** null: all. */
  numberIds: number[] | null
  /** The numbers whose new conversations go to it. */
  defaultOf: number[]
}

/** A sector that is being made: nothing is written before `create`. */
export function useNewSector(sectors: readonly ManagedSector[]) {
  const { mutateAsync, isPending } = useCreateSector()
  const [first] = useState<Draft>({
    name: '',
    color: unusedColor(sectors),
    description: '',
    people: [],
    numberIds: null,
    defaultOf: [],
  })
  const [draft, setDraft] = useState(first)
  /** Of the name that was sent. */
  const [taken, setTaken] = useState<{ name: string; message: string }>()
  const [refusal, setRefusal] = useState<string>()
  const isNameless = showsNothing(draft.name.trim())
  const isTaken = taken?.name === draft.name
  return {
    draft,
    change: (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next })),
    /** Whether closing would lose anything. */
    isBegun: JSON.stringify(draft) !== JSON.stringify(first),
    isBusy: isPending,
    refusal,
    isTaken,
    isNameless,
    /** @param isTried whether the person has tried to go on */
    nameError: (isTried: boolean) =>
      isTaken ? taken.message : isTried && isNameless ? 'Nome é obrigatório' : undefined,
    /** @returns its id, or undefined when it was refused: what was typed stays */
    async create(): Promise<number | undefined> {
      if (isNameless || isPending) return undefined
      setRefusal(undefined)
      const { defaultOf, numberIds, people, ...named } = draft
      const isServed = (id: number) => numberIds === null || numberIds.includes(id)
      try {
        const { id } = await mutateAsync({
          ...named,
          ...(people.length > 0 && { people }),
          ...(numberIds && { numberIds }),
          ...(defaultOf.some(isServed) && { defaultOf: defaultOf.filter(isServed) }),
        })
        toast({ tone: 'success', title: 'Setor criado', description: named.name.trim() })
        return id
      } catch (error) {
        if (error instanceof ApiError && error.code === 'sectors.duplicate')
          setTaken({ name: draft.name, message: error.message })
        else
          setRefusal(`Não foi possível criar o setor. ${reasonOf(error)} O que você digitou continua aqui.`)
        return undefined
      }
    },
  }
}

const unusedColor = (sectors: readonly ManagedSector[]): string =>
  sectorPalette.find((color) => sectors.every((sector) => sector.color !== color)) ??
  sectorPalette[sectors.length % sectorPalette.length] ??
  sectorPalette[0]
