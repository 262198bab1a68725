import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useRef } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { replyForm } from '#shared/quick-replies/managed-replies.ts'
import type { OwnedReply } from '#shared/quick-replies/quick-replies.ts'
import { maxShortcut } from '#shared/settings/settings.ts'
import { ApiError, reasonOf } from '#web/platform/api/api.ts'
import { SectorSelect, useSectors } from '#web/sectors/sectors.tsx'
import { FieldChips, insertWord } from '#web/settings/fields/field-chips.tsx'
import { unfilledIn } from '#web/settings/fields/texts.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { Input } from '#web/ui/fields/input.tsx'
import { useDiscard } from '#web/ui/forms/discarding.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormFooter } from '#web/ui/overlays/form-footer.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useSaveReply, useUploadReplyFile } from './mutations.ts'
import { ReplyFile } from './reply-file.tsx'
import { fieldsOfReplies, fileUrlOf } from './replies.ts'
import { withFields } from './with-fields.ts'
import { useManagedSectors } from './use-managed-sectors.ts'

/** A new quick reply, or the given one. */
export function ReplyDialog({
  reply,
  from,
  onClose,
}: {
  reply?: OwnedReply | undefined
  /** A message to a client that becomes a new one. */
  from?: { content: string; contactName: string }
  onClose: () => void
}) {
  const form = useId()
  const save = useSaveReply(reply?.id)
  const upload = useUploadReplyFile()
  const sectors = useManagedSectors()
  const { find } = useSectors()
  const area = useRef<HTMLTextAreaElement>(null)
  const { register, control, handleSubmit, setError, setValue, watch, formState } = useForm({
    resolver: zodResolver(replyForm),
    defaultValues: {
      shortcut: reply?.shortcut ?? '',
      text: reply?.text ?? (from ? withFields(from.content, from.contactName) : ''),
      file: reply?.file ?? null,
      sectorId: reply?.sectorId ?? null,
    },
  })
  const { errors } = formState
  const discard = useDiscard(formState.isDirty, onClose)
  const submit = handleSubmit((body) =>
    save.mutateAsync({ ...body, ...(reply && { version: reply.version }) }).then(
      () => {
        toast({ tone: 'success', title: reply ? 'Resposta rápida salva' : 'Resposta rápida criada' })
        onClose()
      },
      (error: unknown) => {
        const code = error instanceof ApiError ? error.code : undefined
        const told = { message: reasonOf(error) }
        if (code === 'quick_replies.duplicate') setError('shortcut', told, { shouldFocus: true })
        else if (code === 'quick_replies.empty') setError('text', told, { shouldFocus: true })
        else toast({ tone: 'error', title: `A resposta não foi salva: ${told.message}` })
      },
    ),
  )
  const written = watch('text')
  const file = watch('file') ?? undefined
  const sectorId = watch('sectorId')
  const { ref, ...textField } = register('text')
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title={reply ? 'Editar resposta rápida' : 'Nova resposta rápida'}
      footer={
        <FormFooter
          form={form}
          // Saved before its file is there, the reply would have none.
          isBusy={formState.isSubmitting || upload.isPending}
          busyLabel={upload.isPending ? 'Enviando...' : 'Salvando...'}
          onCancel={discard.close}
        />
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-3.5">
        <div className="grid gap-3.5 md:grid-cols-2">
          <Field label="Atalho" isRequired error={errors.shortcut?.message}>
            {(field) => (
              <Input
                {...field}
                {...register('shortcut')}
                placeholder="pix"
                maxLength={maxShortcut}
                autoComplete="off"
                leading={<span className="text-ink-3">/</span>}
              />
            )}
          </Field>
          {(sectors.length > 0 || sectorId !== null) && (
            <Field label="Quem usa">
              {(field) => (
                <Controller
                  control={control}
                  name="sectorId"
                  render={({ field: { value, onChange } }) => (
                    <SectorSelect
                      {...field}
                      sectors={sectors}
                      chosen={value === null ? undefined : find(value)}
                      noneLabel="Só eu"
                      onChoose={onChange}
                    />
                  )}
                />
              )}
            </Field>
          )}
        </div>
        {file?.voiceSeconds === undefined && (
          <div className="grid gap-1.5">
            <Field
              label="Texto"
              hint={unfilledIn(written, fieldsOfReplies).join('; ')}
              error={errors.text?.message}
            >
              {(field) => (
                <textarea
                  {...field}
                  {...textField}
                  ref={(element) => {
                    ref(element)
                    area.current = element
                  }}
                  rows={4}
                  dir="auto"
                  className={fieldLook('lines')}
                />
              )}
            </Field>
            <FieldChips
              fields={fieldsOfReplies}
              length={written.length}
              onInsert={(word) => {
                if (area.current) setValue('text', insertWord(area.current, word), { shouldDirty: true })
              }}
            />
          </div>
        )}
        <ReplyFile
          file={file}
          url={reply?.file && reply.file.name === file?.name ? fileUrlOf(reply.id) : undefined}
          name="da resposta"
          isUploading={upload.isPending}
          upload={upload.mutateAsync}
          onChange={(next) => setValue('file', next ?? null, { shouldDirty: true })}
        />
      </form>
      {discard.question}
    </Dialog>
  )
}
