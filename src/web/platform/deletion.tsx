import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { reasonOf } from './api/api.ts'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'

/** Asks before one of a list is deleted, and says what became of it. */
export function Deletion({
  id,
  words: { title, done, failed },
  deleting: { mutate, isPending },
  onClose,
  onDeleted = onClose,
  children,
}: {
  id: number
  words: { title: string; done: string; failed: string }
  deleting: Pick<UseMutationResult<unknown, Error, number>, 'mutate' | 'isPending'>
  onClose: () => void
  /** Instead of `onClose`, once it is deleted. */
  onDeleted?: () => void
  /** What is lost. */
  children: ReactNode
}) {
  const remove = () =>
    mutate(id, {
      onSuccess: () => {
        onDeleted()
        toast({ tone: 'success', title: done })
      },
      onError: (error) => {
        onClose()
        toast({ tone: 'error', title: `${failed}: ${reasonOf(error)}` })
      },
    })
  return (
    <DeleteDialog title={title} isDeleting={isPending} onDelete={remove} onClose={onClose}>
      {children}
    </DeleteDialog>
  )
}
