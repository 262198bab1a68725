import { Eraser } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import type { Contact } from '#shared/contacts/contacts.ts'
import { fold } from '#shared/text/fold.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { wholePhone } from '#web/platform/whole-phone.ts'
import { useAnonymize } from './queries.ts'

/** 'Anonimizar': says what is lost, and asks for the name, since nothing brings it back. */
export function AnonymizeDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const form = useId()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { mutate, isPending } = useAnonymize({ onDone: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void names(typed, contact).then((isRight) => (isRight ? mutate(contact.id) : setWrong(true)))
  }
  const number = contact.phone === null ? undefined : formatPhone(contact.phone)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Anonimizar contato"
      description={<span dir="auto">{[contact.name, number].filter(Boolean).join(' · ')}</span>}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            type="submit"
            form={form}
            variant="dangerSolid"
            icon={Eraser}
            isBusy={isPending}
            busyLabel="Anonimizando..."
          >
            Anonimizar
          </Button>
        </>
      }
    >
      <div className="grid gap-2 text-sm">
        <p>
          Apaga para sempre o nome, o telefone, o e-mail, as observações, as etiquetas, a foto, os textos e os
          arquivos de todas as conversas, também o que a equipe escreveu.{' '}
          <strong>Não há como desfazer.</strong>
        </p>
        <p>
          Conversas abertas são finalizadas sem mensagem, e o que espera envio não sai. Contagens, horários e
          notas de avaliação ficam, para os relatórios. O que já está no WhatsApp não muda.
        </p>
      </div>
      <form id={form} onSubmit={submit}>
        <Field
          label="Digite o nome ou o telefone do contato"
          error={isWrong ? 'Não é o nome nem o telefone deste contato' : undefined}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value)
                setWrong(false)
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}

/** Whether somebody has typed the contact's name, whatever its case and accents, or their number. */
async function names(typed: string, { name, phone }: Contact): Promise<boolean> {
  const plain = (text: string) => fold(text).replace(/\s+/g, ' ').trim()
  if (plain(typed) === '') return false
  return plain(typed) === plain(name) || (phone !== null && (await wholePhone(typed)) === phone)
}
