import type { LucideIcon } from 'lucide-react'
import type { PhoneMessage } from '#simulator/control-api.ts'

/** @param typed the text in the field; empty: use the sample's own */
export type SampleMaker = (typed: string) => PhoneMessage | Promise<PhoneMessage>
export interface SampleGroup {
  title: string
  items: { icon: LucideIcon; label: string; make: SampleMaker }[]
}
export const sample = (icon: LucideIcon, label: string, make: SampleMaker) => ({ icon, label, make })
