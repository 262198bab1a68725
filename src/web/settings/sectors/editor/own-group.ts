import { useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import type { Inherited } from '#shared/sectors/managed-sectors.ts'
import type { SectorSettings } from '#shared/settings/own-settings.ts'
import { inheritedGroup, type SectorValues } from './sector-values.ts'

/** Whether a group of settings is the sector's own, and the way to and from there. */
export function useOwnGroup(name: string, inherited: Inherited) {
  const { watch, getValues, setValue } = useFormContext<SectorValues>()
  const [own, numberIds] = watch(['own', 'numberIds'])
  // Whoever looks at what is inherited finds their own again.
  const before = useRef<Partial<SectorSettings>>(undefined)
  const { from, values } = inheritedGroup(name, numberIds, inherited)
  const isOwn = own.includes(name)
  const setOwn = (next: boolean) => {
    if (next === isOwn) return
    const keys = Object.keys(values) as (keyof SectorSettings)[]
    if (!next) before.current = Object.fromEntries(keys.map((key) => [key, getValues(key)]))
    const shown = next ? (before.current ?? values) : values
    for (const key of keys) setValue(key, shown[key] as never, { shouldValidate: true })
    const others = own.filter((one) => one !== name)
    // In a fixed order, so that going back and forth leaves nothing to save.
    setValue('own', (next ? [...others, name] : others).toSorted(), { shouldDirty: true })
  }
  return { isOwn, setOwn, from, values }
}
