import type { SubmitEvent } from 'react'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

/** Asks for a code of the second factor, of the application or a recovery code. */
export function CodeDialog({
  title,
  description,
  action,
  isDanger = false,
  error,
  isBusy,
  onCode,
  onType,
  onClose,
}: {
  title: string
  description: string
  /** The text of the button. */
  action: string
  isDanger?: boolean
  error: string | undefined
  isBusy: boolean
  onCode: (code: string) => void
  onType: () => void
  onClose: () => void
}) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React passes events through the portal: the submit must not reach the form around the dialog.
    event.stopPropagation()
    const code = new FormData(event.currentTarget).get('code')
    if (!isBusy && typeof code === 'string' && code.trim() !== '') onCode(code)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={description}
      className="max-w-[400px]"
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            type="submit"
            form="second-factor-code"
            variant={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            busyLabel="Conferindo..."
          >
            {action}
          </Button>
        </>
      }
    >
      <form id="second-factor-code" noValidate onSubmit={submit} onChange={onType}>
        <Field label="Código" hint="Do seu aplicativo, ou um código de recuperação" error={error}>
          {(field) => (
            <Input
              {...field}
              name="code"
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={40}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
