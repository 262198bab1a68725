import { ApiError } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'

/** @see specification §8 Contacts */
export function toastSaved(): void {
  toast({ tone: 'success', title: 'Contato atualizado com sucesso' })
}

export function toastNotSaved({ message }: Error): void {
  toast({ tone: 'error', title: 'Erro ao atualizar contato', ...(message && { description: message }) })
}

/** Shows the server's message, or says what failed. @see specification §8 Contacts */
export const refused = (fallback: string) => (error: Error) => {
  const message = error instanceof ApiError && error.userMessage
  toast({ tone: 'error', title: 'Erro', description: message || fallback })
}
