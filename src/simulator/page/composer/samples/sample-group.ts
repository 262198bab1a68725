import type { LucideIcon } from 'lucide-react'
import type { PhoneMessage } from '#simulator/control-api.ts'

/** @param words what stands in the field; empty: the sample has its own */
export type SampleMaker = (words: string) => PhoneMessage | Promise<PhoneMessage>
export interface SampleGroup {
  title: string
  items: { icon: LucideIcon; label: string; make: SampleMaker }[]
}
