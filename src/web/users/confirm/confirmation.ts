import { createEmitter } from '#web/platform/emitter.ts'
import { onConfirmationNeeded } from '#web/platform/api/api.ts'

/** Settles the question with whether the user has confirmed. */
type Settle = (isConfirmed: boolean) => void

let asked: { answer: Promise<boolean>; settle: Settle } | undefined
const changes = createEmitter<void>()

/** The question that is open: calls that need the password at the same time share it. */
export const confirmation = {
  get: () => asked,
  subscribe: changes.on,
}

onConfirmationNeeded(() => {
  if (asked) return asked.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const settle: Settle = (isConfirmed) => {
    asked = undefined
    changes.emit()
    resolve(isConfirmed)
  }
  asked = { answer: promise, settle }
  changes.emit()
  return promise
})
