import { toast } from '#web/ui/toast.ts'

/** @see specification §8 Contacts */
export function saySaved(): void {
  toast({ tone: 'success', title: 'Contato atualizado com sucesso' })
}

export function sayNotSaved({ message }: Error): void {
  toast({ tone: 'error', title: 'Erro ao atualizar contato', ...(message && { description: message }) })
}
