import { toast } from '#web/ui/states/toast.ts'

/** @see specification §8 Contacts */
export function toastSaved(): void {
  toast({ tone: 'success', title: 'Contato atualizado com sucesso' })
}

export function toastNotSaved({ message }: Error): void {
  toast({ tone: 'error', title: 'Erro ao atualizar contato', ...(message && { description: message }) })
}
