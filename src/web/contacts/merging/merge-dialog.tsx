import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Contact } from '#shared/contacts/contacts.ts'
import { contactQueries } from '#web/contacts/queries.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Facts } from './duplicates-dialog.tsx'
import { useMerge } from './queries.ts'

const mostFound = 6

/** Chooses the contact that is the same person as the given one, which is kept. */
export function MergeDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const words = useDeferredValue(typed.trim())
  const { data, isError } = useQuery({
    ...contactQueries.found(words, mostFound + 1),
    enabled: words.length >= 2,
  })
  const merge = useMerge()
  const found = words.length < 2 ? [] : data?.filter(({ id }) => id !== contact.id).slice(0, mostFound)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Juntar com outro contato"
      description={
        <>
          <span dir="auto">{contact.name}</span> é mantido: conversas, notas e etiquetas do outro passam para
          ele. Dá para desfazer por um dia.
        </>
      }
    >
      <SearchField value={typed} onChange={setTyped} placeholder="Buscar por nome, telefone ou email..." />
      {isError && <p className="text-sm text-ink-2">Não foi possível buscar os contatos.</p>}
      {found?.length === 0 && words.length >= 2 && (
        <p className="text-sm text-ink-2">Nenhum contato encontrado</p>
      )}
      <ul aria-label="Contatos encontrados" className="grid gap-2">
        {found?.map((other) => (
          <li
            key={other.id}
            className={[
              'flex min-w-0 items-center justify-between gap-2',
              'rounded-control border border-line p-2.5',
            ].join(' ')}
          >
            <Facts contact={other} />
            <Button
              size="sm"
              disabled={merge.isPending}
              aria-label={`Juntar ${other.name}`}
              onClick={() => merge.mutate({ kept: contact, other }, { onSuccess: onClose })}
            >
              Juntar
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
