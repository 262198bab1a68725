import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createElement, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { createContact, type NewContact } from '#shared/contacts/contact-changes.ts'
import {
  type Contact,
  type ContactChange,
  contactForm,
  contactLimits,
  updateContact,
} from '#shared/contacts/contacts.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { categoryLabel } from '#shared/text/text.ts'
import { CompanyChooser } from '#web/companies/companies.tsx'
import { ApiError, call } from '#web/platform/api/api.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { useDiscard } from '#web/ui/forms/discarding.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormFooter } from '#web/ui/overlays/form-footer.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { contactQueries } from '#web/contacts/queries.ts'
import { usePhoneShown } from '#web/contacts/use-phone-shown.ts'
import { refused } from '#web/contacts/toast-saved.ts'
import { useMe } from '#web/users/users.tsx'
import { CategoryOption } from './contact-filters.tsx'
import { SectorField } from './sector-field.tsx'
import { TagField } from './tag-field.tsx'

/** A contact known by LID alone has no number, and needs none. */
const hiddenNumberForm = z.extend(contactForm, {
  phone: z.union([z.literal(''), contactForm.shape.phone], 'Telefone deve ter pelo menos 10 dígitos'),
})

/** The category of a new contact, if it is offered. @see specification §3 Contact */
const usualCategory = 'lead'
/** A select has no empty value. */
const none = 'null'

/** 'Novo Contato', or 'Editar Contato' of the given contact, as it is now. */
export function ContactDialog({ contact, onClose }: { contact: Contact | undefined; onClose: () => void }) {
  const { data: offered = [], error: missing } = useQuery(contactQueries.categories())
  const [company, setCompany] = useState(contact?.company ?? null)
  const me = useMe()
  /** As the form began, until it has been told that a colleague was faster. */
  const [seen, setSeen] = useState(contact)
  const save = useSave(contact)
  const {
    register,
    control,
    handleSubmit,
    setError,
    formState: { errors, dirtyFields },
  } = useForm({
    resolver: zodResolver(contact?.phone === null ? hiddenNumberForm : contactForm),
    defaultValues: valuesOf(contact),
  })
  const discard = useDiscard(Object.keys(dirtyFields).length > 0, onClose)
  const isOffered = (category: string) =>
    offered.some(({ name }) => name.toLowerCase() === category.toLowerCase())
  const submit = handleSubmit((values) => {
    const created = { ...values, category: isOffered(values.category) ? values.category : '' }
    const isDirty = ([field]: [string, unknown]) => dirtyFields[field as keyof typeof values]
    const changed = Object.fromEntries(Object.entries(values).filter(isDirty))
    return save
      .mutateAsync(contact ? { ...changed, updatedAt: basisOf(contact, seen, changed) } : created)
      .then(
        () => {
          const description = contact ? 'Contato atualizado com sucesso' : 'Contato criado com sucesso'
          toast({ tone: 'success', title: 'Sucesso', description })
          onClose()
        },
        (error: Error) => {
          if (error instanceof ApiError && error.code === 'contacts.changed') setSeen(undefined)
          const field = error instanceof ApiError ? fieldOf(error) : undefined
          if (field) setError(field, { message: error.message }, { shouldFocus: field === 'phone' })
          refused(contact ? 'Erro ao atualizar contato' : 'Erro ao criar contato')(error)
        },
      )
  })
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title={contact ? 'Editar Contato' : 'Novo Contato'}
      {...(contact && { description: <span dir="auto">{contact.name}</span> })}
      footer={<FormFooter form="contact" isBusy={save.isPending} onCancel={onClose} />}
    >
      <form id="contact" noValidate className="grid gap-3.5" onSubmit={(event) => void submit(event)}>
        <Field label="Nome" isRequired error={errors.name?.message}>
          {(field) => (
            <Input {...field} {...register('name')} maxLength={contactLimits.name} autoComplete="off" />
          )}
        </Field>
        <div className="grid items-start gap-3.5 md:grid-cols-2">
          <Field
            label="Telefone"
            isRequired={contact?.phone !== null}
            hint={contact?.phone && me.hidesPhones && <HiddenHint contactId={contact.id} />}
            error={errors.phone?.message}
          >
            {(field) => (
              <Input
                {...field}
                {...register('phone')}
                type="tel"
                placeholder="(11) 99999-9999"
                autoComplete="off"
              />
            )}
          </Field>
          <Field label="Email" error={errors.email?.message}>
            {(field) => <Input {...field} {...register('email')} type="email" autoComplete="off" />}
          </Field>
          <div className="grid min-w-0 gap-1.5">
            <span className="text-sm font-medium">Empresa</span>
            <Controller
              control={control}
              name="companyId"
              render={({ field }) => (
                <CompanyChooser
                  company={company}
                  onChoose={(chosen) => {
                    setCompany(chosen)
                    field.onChange(chosen?.id ?? null)
                  }}
                  className={`${fieldLook('field')} justify-between px-2.5`}
                />
              )}
            />
          </div>
          <Field
            label="Categoria"
            error={
              errors.category?.message ??
              (missing && offered.length === 0 ? 'Failed to fetch contact categories' : undefined)
            }
          >
            {(field) => (
              <Controller
                control={control}
                name="category"
                render={({ field: { value, onChange } }) => (
                  <Select
                    {...field}
                    value={shownCategory(value, contact, offered)}
                    onChange={(chosen) => onChange(chosen === none ? '' : chosen)}
                    options={categoryOptions(contact, offered)}
                  />
                )}
              />
            )}
          </Field>
          <SectorField control={control} error={errors.sectorId?.message} />
        </div>
        <Field label="Etiquetas" error={errors.tags?.message}>
          {(field) => (
            <Controller
              control={control}
              name="tags"
              render={({ field: { value, onChange } }) => (
                <TagField {...field} tags={value} onChange={onChange} />
              )}
            />
          )}
        </Field>
        <Field label="Notas" error={errors.notes?.message}>
          {(field) => (
            <textarea
              {...field}
              {...register('notes')}
              rows={3}
              maxLength={contactLimits.notes}
              dir="auto"
              className={fieldLook('lines')}
            />
          )}
        </Field>
      </form>
      {discard.question}
    </Dialog>
  )
}

function useSave(contact: Contact | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (values: NewContact | ContactChange) =>
      contact === undefined
        ? call(createContact, { body: values as NewContact })
        : call(updateContact, { params: { id: contact.id }, body: values }),
    // Also after a refusal: a colleague may have changed the contact.
    onSettled: () => client.invalidateQueries({ queryKey: contactQueries.all }),
  })
}

type Offered = readonly { name: string; color: string }[]

/** The spelling of the options; none when the usual category is not offered. */
function shownCategory(value: string, contact: Contact | undefined, offered: Offered): string {
  const own = offered.find(({ name }) => name.toLowerCase() === value.toLowerCase())
  return own?.name ?? (value !== '' && value === contact?.category ? value : none)
}

/** What is offered, 'Sem categoria', and the contact's own one even when it is no longer offered. */
function categoryOptions(contact: Contact | undefined, offered: Offered) {
  const { category: own = '', categoryColor = '' } = contact ?? {}
  const isOwn = ({ name }: { name: string }) => name.toLowerCase() === own.toLowerCase()
  const shown =
    own === '' || offered.some(isOwn) ? offered : [...offered, { name: own, color: categoryColor }]
  return [
    ...shown.map(({ name, color }) => ({
      value: name,
      label: <CategoryOption name={name} color={color} />,
    })),
    { value: none, label: categoryLabel('') },
  ]
}

/** What is to be known of a number that is hidden, which stands in the field as it is seen. */
function HiddenHint({ contactId }: { contactId: number }) {
  const phoneShown = usePhoneShown(useMe().revealsPhones === true)
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      Oculto para você. Para mudar, digite o número inteiro.
      {phoneShown && createElement(phoneShown, { contactId })}
    </span>
  )
}

const valuesOf = (contact: Contact | undefined) => ({
  name: contact?.name ?? '',
  phone: contact?.phone ? formatPhone(contact.phone) : '',
  email: contact?.email ?? '',
  category: contact?.category ?? usualCategory,
  notes: contact?.notes ?? '',
  tags: contact?.tags ?? [],
  companyId: contact?.companyId ?? null,
  sectorId: contact?.sectorId ?? null,
})

/**
 * The version that a change is based on: the one that was seen, where a fetch has brought what a colleague
 * wrote in the same field, so that the server refuses to overwrite it.
 */
function basisOf(contact: Contact, seen: Contact | undefined, changed: object): string {
  const isOvertaken = (field: string) => {
    const [before, now] = [valuesOf(seen), valuesOf(contact)].map((values) =>
      JSON.stringify(values[field as keyof typeof values]),
    )
    return before !== now
  }
  return (seen && Object.keys(changed).some(isOvertaken) ? seen : contact).updatedAt
}

/** The field that a refusal is about. */
function fieldOf({ code, fields }: ApiError): 'phone' | 'category' | 'sectorId' | undefined {
  // The server knows which numbers exist.
  if (
    fields['phone'] ||
    code === 'contacts.phone_taken' ||
    code === 'contacts.phone_in_use' ||
    code === 'contacts.phone_masked'
  )
    return 'phone'
  if (code === 'sectors.unknown' || code === 'sectors.inactive') return 'sectorId'
  return code === 'contacts.category_not_found' ? 'category' : undefined
}
