import { useMutationState } from '@tanstack/react-query'
import type { ContactCard } from '#shared/contacts/contacts.ts'
import { CompanyChooser } from '#web/companies/companies.tsx'
import { ApiError } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { useChooseCompany } from '#web/contacts/save-contact.ts'

/**
 * The contact's company and a choice of others: updated optimistically, reverted with a message when refused.
 */
export function ContactCompany({ contact, className }: { contact: ContactCard; className?: string }) {
  const { mutate } = useChooseCompany(contact.id)
  const chosen = useMutationState({
    filters: { mutationKey: ['contact-company', contact.id], status: 'pending' },
    select: ({ state }) => state.variables as ContactCard['company'],
  }).at(-1)
  const choose = (company: ContactCard['company']) =>
    mutate(company, {
      onError: (error) => {
        const message = error instanceof ApiError && error.status < 500 ? error.userMessage : undefined
        toast({
          tone: 'error',
          title: 'Erro ao associar empresa. Tente novamente.',
          ...(message && { description: message }),
        })
      },
    })
  return (
    <CompanyChooser
      company={chosen === undefined ? contact.company : chosen}
      onChoose={choose}
      {...(className && { className })}
    />
  )
}
