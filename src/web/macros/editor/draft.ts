import type { ManagedMacro, NewMacro } from '#shared/macros/managed-macros.ts'
import type { MacroStep, StepKind } from '#shared/macros/steps.ts'

/** A macro as it is edited. */
export interface Draft {
  name: string
  shortcut: string
  isShared: boolean
  sectorId: number | null
  /** Each with an id of its own, by which it is moved. */
  steps: readonly { id: number; step: MacroStep }[]
}

let ids = 0
export const withId = (step: MacroStep) => ({ id: ++ids, step })

export const emptyDraft = (): Draft => ({
  name: '',
  shortcut: '',
  isShared: false,
  sectorId: null,
  steps: [],
})

export const draftOf = ({ name, shortcut, isShared, sectorId, steps }: ManagedMacro): Draft => ({
  name,
  shortcut,
  isShared,
  sectorId,
  steps: steps.map(withId),
})

/** A copy for the person alone, until they say otherwise. */
export const copyOf = (draft: Draft): Draft => ({
  ...draft,
  name: `${draft.name} (cópia)`.slice(0, 60),
  shortcut: '',
  isShared: false,
  sectorId: null,
})

export const bodyOf = ({ steps, ...draft }: Draft): NewMacro => ({
  ...draft,
  steps: steps.map(({ step }) => step),
})

/** A step of a kind before anything of it is chosen; of a file there is none. */
export function newStep(kind: Exclude<StepKind, 'file'>): MacroStep {
  switch (kind) {
    case 'text':
      return { kind, text: '' }
    case 'note':
      return { kind, text: '', mentions: [] }
    case 'tag':
      return { kind, tagId: null }
    case 'category':
      return { kind, categoryId: null }
    case 'sector':
      return { kind, sectorId: null }
    case 'person':
      return { kind, userId: null }
    case 'priority':
      return { kind, priority: 'high' }
    case 'snooze':
      return { kind, time: 'tomorrow' }
    case 'finalize':
      return { kind, reasonId: null }
  }
}
